"""CAD files in and out: parts, places, features, masses, meshes."""
