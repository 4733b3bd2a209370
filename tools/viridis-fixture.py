"""Writes src/drawing/fixtures/viridis.json: matplotlib's viridis at every 15th of its 256 colours.

    /usr/bin/python3 tools/viridis-fixture.py
"""

import json

import matplotlib

colours = matplotlib.colormaps["viridis"].colors
points = [[i / 255, "#" + "".join(f"{round(255 * part):02x}" for part in colours[i])] for i in range(0, 256, 15)]
source = f"matplotlib {matplotlib.__version__}, colormaps['viridis']"
with open("src/drawing/fixtures/viridis.json", "w", encoding="utf-8") as file:
    json.dump({"source": source, "points": points}, file)
    file.write("\n")
