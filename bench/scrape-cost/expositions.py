"""Two expositions of 100 KB, turn0 and turn1: expositions.py RECORDED_FOLDER OUT_FOLDER

Two recorded scrapes of 68 KB of one engine under load, filled up with themselves under another name.
They differ in 277 of 627 recorded samples. still0 and still1 are the same with an idle engine's own
families, so that a run finds the engine quiet, and the two of the other name beside them.
"""
import sys

for turn in '01':
    body = open(f'{sys.argv[1]}/metrics-preempt-during{turn}.prom').read()
    idle = open(f'{sys.argv[1]}/metrics-idle.prom').read()
    for name, own in ('turn', body), ('still', idle):
        more = body.replace('vllm:', 'twin:')[:100_000 - len(own)]
        open(f'{sys.argv[2]}/{name}{turn}', 'w').write(own + more[:more.rindex('\n') + 1])
