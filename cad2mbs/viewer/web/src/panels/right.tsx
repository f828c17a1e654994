import { Diagnostics } from "./diagnostics";
import { Drives } from "./drives";
import { Player } from "./player";
import { Positions } from "./positions";
import { Tools } from "./tools";

/** How it moves: drives, player, tools, positions, and what there is to say. */
export function Right() {
  return (
    <>
      <Drives />
      <Player />
      <Diagnostics />
      <Positions />
      <Tools />
    </>
  );
}
