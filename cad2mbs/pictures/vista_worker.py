"""Draw what the folder named on the command line holds, with pyvista; pictures go to stdout.

Run by vista.py as a script: it needs numpy and pyvista, and nothing of this package.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

FINER = 2  # drawn this much larger, then averaged: works alike with every kind of OpenGL


def main(folder: Path) -> None:
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not get between the pictures
    import numpy as np

    scene = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    with np.load(folder / "arrays.npz", allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    drawing = Drawing(scene, arrays)
    for k in range(len(arrays["poses"])):
        out.write(drawing.picture(k).tobytes())
        out.flush()


class Drawing:
    """The scene in a plotter, its actors ready to be moved."""

    def __init__(self, scene: dict[str, Any], arrays: dict[str, Any]):
        import pyvista as pv  # type: ignore[import-not-found]

        self.pv, self.scene, self.arrays = pv, scene, arrays
        size = [FINER * side for side in scene["size"]]
        self.plotter = pv.Plotter(off_screen=True, window_size=size, lighting="light kit")
        self.plotter.set_background(scene["bottom"], top=scene["top"])
        if any(item["colour"][3] < 1.0 for item in scene["items"]):
            self.plotter.enable_depth_peeling(8)
        self.actors = [self._item(item) for item in scene["items"]]
        self.paths: list[Any] = []
        camera = self.plotter.camera
        camera.position, camera.focal_point, camera.up = scene["eye"], scene["target"], scene["up"]
        if scene["angle"] is None:
            camera.parallel_projection = True
            camera.parallel_scale = scene["half_height"]
            camera.position = self._far()
        else:
            camera.view_angle = scene["angle"]

    def _far(self) -> list[float]:
        """An eye outside everything: without perspective its distance does not matter."""
        import numpy as np

        target = np.array(self.scene["target"])
        towards = np.array(self.scene["eye"]) - target
        reach = 10.0 * max(self.scene["half_height"], float(np.abs(self.arrays["poses"]).max()))
        return (target + towards / np.linalg.norm(towards) * (reach + 1.0)).tolist()

    def _item(self, item: dict[str, Any]) -> list[Any]:
        """The actors of an item: its faces, and its edges where it has any."""
        import numpy as np

        k, (*colour, opacity) = item["mesh"], item["colour"]
        triangles = self.arrays[f"triangles_{k}"]
        faces = np.column_stack([np.full(len(triangles), 3), triangles]).ravel()
        surface = self.pv.PolyData(self.arrays[f"vertices_{k}"], faces)
        surface.point_data.active_normals = self.arrays[f"normals_{k}"]
        actors = [
            self.plotter.add_mesh(
                surface, color=colour, opacity=opacity, smooth_shading=True,
                split_sharp_edges=False, specular=0.25, specular_power=20.0, ambient=0.12,
            )
        ]  # fmt: skip
        mapper = actors[0].mapper  # a little back, so that edges lie before the faces they bound
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(2.0, 2.0)
        points, starts = self.arrays[f"edge_points_{k}"], self.arrays[f"edge_starts_{k}"]
        if len(points):
            lines = self.pv.PolyData(points, lines=runs(starts))
            style = {"color": self.scene["ink"], "line_width": 1.2 * FINER, "lighting": False}
            actors.append(self.plotter.add_mesh(lines, **style))
        return actors

    def picture(self, k: int) -> Any:
        """The picture of one shot."""
        for actors, pose in zip(self.actors, self.arrays["poses"][k], strict=True):
            for actor in actors:
                actor.user_matrix = pose
        self._trace(k)
        self.plotter.reset_camera_clipping_range()
        self.plotter.render()
        image = self.plotter.screenshot(None, return_img=True)[..., :3]
        width, height = self.scene["size"]
        return image.reshape(height, FINER, width, FINER, 3).mean(axis=(1, 3)).astype("uint8")

    def _trace(self, k: int) -> None:
        for actor in self.paths:
            self.plotter.remove_actor(actor, render=False)
        self.paths = []
        style = self.scene["lines"]
        for row, trace in enumerate(self.scene["traces"]):
            points, done = self.arrays[f"trace_{row}"], trace["done"][k]
            run = points if done is None else points[:done]
            look = {"color": trace["colour"][:3], "lighting": False, "render": False}
            for path, opacity in ((points, style["faint"]), (run, 1.0)):
                if len(path) > 1:
                    line = self.pv.PolyData(path, lines=runs([0, len(path)]))
                    options = {"line_width": FINER * style["width"], "opacity": opacity}
                    self.paths.append(self.plotter.add_mesh(line, **options, **look))
            if done:
                dot = self.pv.PolyData(run[-1:])
                options = {"point_size": FINER * style["dot"], "render_points_as_spheres": True}
                self.paths.append(self.plotter.add_mesh(dot, **options, **look))


def runs(starts: Any) -> list[int]:
    """Polylines starts[i] to starts[i + 1] - 1 as pyvista wants them: length, rows, length ..."""
    out: list[int] = []
    for a, b in pairwise(starts):
        out += [int(b - a), *range(int(a), int(b))]
    return out


if __name__ == "__main__":
    main(Path(sys.argv[1]))
