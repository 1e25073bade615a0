#!/usr/bin/env python3
"""Compares two builds of hamel_bench: CPU time of every row, minimum of nine runs, old and new alternating.

usage: bench_compare.py OLD NEW [RUNS [FILTER]]     paths of two hamel_bench; prints a table, fails if a row is 10 %
slower. FILTER: a regular expression, of the names of the rows to compare
"""
import json
import subprocess
import sys
import tempfile

ALLOWED = 1.10


def run(program, rows):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        options = ["--benchmark_repetitions=3", "--benchmark_min_time=0.01", f"--benchmark_filter={rows}"]
        subprocess.run([program, *options, file.name], check=True, stdout=subprocess.DEVNULL)
        return {(row["name"], row["size"]): row["ours_us"] for row in json.load(open(file.name))}


def main():
    old, new = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    rows = sys.argv[4] if len(sys.argv) > 4 else "."
    best = {old: {}, new: {}}
    for _ in range(runs):
        for program in (old, new):
            for row, time in run(program, rows).items():
                best[program][row] = min(time, best[program].get(row, time))
    slower = 0
    for row, time in best[new].items():
        if row not in best[old]:
            print(f"{row[0]:<62}{row[1]:>7}{'':>12}{time:>12.3f}   new")
            continue
        ratio = time / best[old][row]
        slower += ratio > ALLOWED
        print(f"{row[0]:<62}{row[1]:>7}{best[old][row]:>12.3f}{time:>12.3f}{ratio:>8.2f}"
              f"{'  SLOWER' if ratio > ALLOWED else ''}")
    sys.exit(1 if slower else 0)


main()
