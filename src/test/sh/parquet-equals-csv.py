#!/usr/bin/env python3
"""parquet-equals-csv.py FOLDER: do the Parquet and the CSV tables of one export hold the same rows?

FOLDER is where `tally export RUN --format csv` and `--format parquet` wrote (--output FOLDER).
Needs duckdb and pyarrow (PyPI), two readers that share no code with ours. Exit 1 where they differ.
"""
import os
import sys

import duckdb
import pyarrow.parquet

folder = sys.argv[1]
same = True
for table in ["requests", "chunks", "scrapes", "exporters"]:
    file = f"{folder}/{table}.parquet"
    if not os.path.exists(file):
        continue
    parquet = f"read_parquet('{file}')"
    csv = f"read_csv('{folder}/{table}.csv', header=true, all_varchar=true)"
    columns = [row[:2] for row in duckdb.sql(f"describe select * from {parquet}").fetchall()]
    cells = ", ".join(
        f"coalesce(\"{n}\", '')" if kind == "VARCHAR" else f'cast("{n}" as {kind})'
        for n, kind in columns)
    left = duckdb.sql(f"select {cells} from {parquet} except all select {cells} from {csv}")
    right = duckdb.sql(f"select {cells} from {csv} except all select {cells} from {parquet}")
    only = len(left.fetchall()), len(right.fetchall())
    rows = pyarrow.parquet.read_table(file).num_rows
    same &= only == (0, 0)
    print(f"{table}: {rows} rows, only in Parquet {only[0]}, only in CSV {only[1]}")
sys.exit(0 if same else 1)
