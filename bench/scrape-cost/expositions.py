"""Two expositions of 100 KB, turn0 and turn1: expositions.py RECORDED_FOLDER OUT_FOLDER

Two recorded scrapes of 68 KB of one engine under load, filled up with themselves under another name.
They differ in 277 of 627 recorded samples.
"""
import sys

for turn in '01':
    body = open(f'{sys.argv[1]}/metrics-preempt-during{turn}.prom').read()
    more = body.replace('vllm:', 'twin:')[:100_000 - len(body)]
    open(f'{sys.argv[2]}/turn{turn}', 'w').write(body + more[:more.rindex('\n') + 1])
