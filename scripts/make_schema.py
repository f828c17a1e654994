"""Write cad2mbs/mates.schema.json from the typed models of the mates file."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "cad2mbs" / "mates.schema.json"


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from cad2mbs.io.mates_schema import schema_text

    SCHEMA.write_text(schema_text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
