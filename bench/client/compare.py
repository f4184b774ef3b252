#!/usr/bin/env python3
"""Lays what a client saw beside the paced server's own log, request by request.

compare.py CLIENT SIZE TRUTH SEEN [SKIP_S]   one row, tab separated
compare.py table ROWS                        medians of the repeats
compare.py goals FOLDER                      the table of bench/client/goals
compare.py wave [NAME USERS TRUTH SEEN]               users who begin together, or the head of its table
compare.py closed [NAME USERS TRUTH FOLDER SKIP_S]   a closed loop's turnaround, or the head of its table

CLIENT: bare (BareReader's lines), tally (a run folder), aiperf (profile_export.jsonl),
guidellm (its JSON), events (ReadRounds' lines). Times of one request are only ever compared with
times of the same request; differences are of durations, except for `events`, where client and
server share one monotonic clock. SKIP_S drops the requests of the first seconds: connections open.
"""
import glob, json, math, statistics, sys


def at(values, level):
    ordered = sorted(values)
    return ordered[max(0, math.ceil(level * len(ordered)) - 1)] if ordered else float('nan')


def truth(path):
    rows = {}
    for line in open(path):
        words = line.split()
        rows[words[0]] = [int(word) for word in words[1:]]
    return rows


def bare(path):
    """id, TTFT from intended, TTFT from written, gaps, lateness; milliseconds."""
    for line in open(path):
        words = line.split()
        t = [int(word) / 1e6 for word in words[1:]]
        yield words[0], t[2] - t[0], t[2] - t[1], [b - a for a, b in zip(t[2:], t[3:])], None


def tally(folder):
    for line in open(glob.glob(folder + '/**/record/requests.ndjson', recursive=True)[0]):
        row = json.loads(line)
        if row['phase'] == 'warmup' or not row.get('chunk_ns'):
            continue
        chunks = row['chunk_ns']
        first = chunks[0]
        yield (row['request_id'], (first - row['intended_ns']) / 1e6,
               (first - row['written_ns']) / 1e6, [gap / 1e6 for gap in chunks[1:]],
               (row['started_ns'] - row['intended_ns']) / 1e6)


def aiperf(path):
    for line in open(path):
        row = json.loads(line)
        metrics = row['metrics']
        if row['metadata']['benchmark_phase'] != 'profiling' or 'time_to_first_token' not in metrics:
            continue
        ttft = metrics['time_to_first_token']['value']
        gaps = metrics.get('inter_chunk_latency', {}).get('value', [])
        yield row['metadata']['x_request_id'], ttft, ttft, gaps, None


def guidellm(path):
    for benchmark in json.load(open(path))['benchmarks']:
        for row in benchmark['requests']['successful']:
            t = row['info']['timings']
            first = t['first_token_iteration']
            mean = (t['last_token_iteration'] - first) / max(1, t['token_iterations'] - 1)
            name = row['response_id'].removeprefix('cmpl-')
            yield (name, (first - t['targeted_start']) * 1e3, (first - t['request_start']) * 1e3,
                   [mean * 1e3], (t['request_start'] - t['targeted_start']) * 1e3)


def events(size, server, seen):
    """Client's stamp minus server's, of each event."""
    delays = []
    for line in open(seen):
        words = line.split()
        sent = server[words[0]][1:]
        delays += [(int(got) - told) / 1e3 for got, told in zip(words[1:], sent)]
    return [f'{at(delays, level):.1f}' for level in (0.5, 0.9, 0.99, 1)]


HEAD = ['client', 'size', 'requests', 'ttft+p50', 'ttft+p99', 'written+p50', 'written+p99',
        'gap50-true', 'gap99-true', 'gap99', 'truegap99', 'late99']


def row(client, size, server, seen, skip):
    reader = {'bare': bare, 'tally': tally, 'aiperf': aiperf, 'guidellm': guidellm}[client]
    known = [each for each in reader(seen) if each[0] in server]
    start = min(server[each[0]][0] for each in known) + skip * 1e9
    known = [each for each in known if server[each[0]][0] >= start]
    intended, written, gaps, true_gaps, late = [], [], [], [], []
    for name, from_intended, from_written, client_gaps, lateness in known:
        moments = server[name]
        real = (moments[1] - moments[0]) / 1e6
        intended.append(from_intended - real)
        written.append(from_written - real)
        gaps += client_gaps
        if client == 'guidellm':
            true_gaps.append((moments[-1] - moments[1]) / 1e6 / (len(moments) - 2))
        else:
            true_gaps += [(b - a) / 1e6 for a, b in zip(moments[1:], moments[2:])]
        late += [] if lateness is None else [lateness]
    figures = [at(intended, 0.5), at(intended, 0.99), at(written, 0.5), at(written, 0.99),
               at(gaps, 0.5) - at(true_gaps, 0.5), at(gaps, 0.99) - at(true_gaps, 0.99),
               at(gaps, 0.99), at(true_gaps, 0.99), at(late, 0.99)]
    return [client, size, str(len(known))] + [f'{figure:.3f}' for figure in figures]


def closed(name, users, server, folder, skip):
    """A closed loop's way from one answer to the next request, milliseconds."""
    late, seen = [], []
    for line in open(glob.glob(folder + '/**/record/requests.ndjson', recursive=True)[0]):
        row = json.loads(line)
        if row['phase'] != 'warmup':
            seen.append(row['request_id'])
            late.append((row['intended_ns'], (row['started_ns'] - row['intended_ns']) / 1e6))
    first = min(moment for moment, _ in late)
    late = [wait for moment, wait in late if moment > first + skip * 1e9]
    moments = [server[each] for each in seen if each in server]
    reads = sorted(each[0] for each in moments)[users:]
    ends = sorted(each[-1] for each in moments)
    idle = [(read - end) / 1e6 for read, end in zip(reads, ends) if read > reads[0] + skip * 1e9]
    figures = [at(late, 0.5), at(late, 0.99), at(late, 1), at(idle, 0.5), at(idle, 0.99)]
    return [name, str(users), str(len(late))] + [f'{figure:.3f}' for figure in figures]


def wave(name, server, path):
    """What the client adds to the TTFT of requests that begin together, milliseconds."""
    if name == 'bare':
        seen = [(key, ttft, 0, 0) for key, ttft, *_ in bare(path)]
    else:
        rows = [json.loads(line)
                for line in open(glob.glob(path + '/**/record/requests.ndjson', recursive=True)[0])]
        rows = [row for row in rows if row['phase'] != 'warmup' and row.get('chunk_ns')]
        first = min(row['intended_ns'] for row in rows)
        seen = [(row['request_id'], (row['chunk_ns'][0] - row['intended_ns']) / 1e6,
                 (row['started_ns'] - row['intended_ns']) / 1e6,
                 (row.get('connected_ns', 0) - row.get('connect_started_ns', 0)) / 1e6)
                for row in rows if row['intended_ns'] == first]
    seen = [each for each in seen if each[0] in server]
    over = [ttft - (server[key][1] - server[key][0]) / 1e6 for key, ttft, _, _ in seen]
    late, connect = [each[2] for each in seen], [each[3] for each in seen]
    figures = [at(over, 0.5), at(over, 0.99), at(over, 1), at(late, 0.5), at(late, 0.99), at(connect, 0.99)]
    return [name, str(len(seen))] + [f'{figure:.2f}' for figure in figures]


def table(path):
    groups = {}
    for line in open(path):
        words = line.rstrip('\n').split('\t')
        groups.setdefault((words[1], words[0]), []).append([float(word) for word in words[2:]])
    print('\t'.join(['repeats'] + HEAD))
    for (size, client), rows in sorted(groups.items(), key=lambda g: (int(g[0][0].split('x')[0]), g[0])):
        medians = [statistics.median(column) for column in zip(*rows)]
        print('\t'.join([str(len(rows)), client, size] + [f'{median:.3f}' for median in medians]))


def goals(folder):
    rows, peaks, cost = {}, {}, {}
    for words in (line.split('\t') for line in open(folder + '/rows')):
        rows.setdefault((words[0], words[1]), []).append([float(word) for word in words[2:]])
    for words in (line.split() for line in open(folder + '/peaks')):
        peaks.setdefault(words[0], []).append(float(words[1]))
    for words in (line.split() for line in open(folder + '/cost')):
        told = dict(word.split('=') for word in words if '=' in word)
        if told:
            cost.setdefault((words[0], told['itl']), []).append(told)
    whole = [float(line.split(',')[-1].split()[0]) for line in open(folder + '/peers')]

    def column(client, size, index):
        return statistics.median(row[index] for row in rows[client, size])

    def each(client, itl, name):
        return statistics.median(float(told[name]) for told in cost[client, itl])

    print('figure\tbare\tbefore\ttally\tgoal\tmet')
    for size in sorted({size for _, size in rows}, key=lambda size: int(size.split('x')[0])):
        streams = size.split('x')[0]
        ttft = [column(client, size, 1) for client in ('bare', 'tally')]
        gap = [column(client, size, 6) for client in ('bare', 'tally')]
        print(f'TTFT + p50 ms, {size}\t{ttft[0]:.2f}\t\t{ttft[1]:.2f}\tbare + 0.3\t{ttft[1] <= ttft[0] + 0.3}')
        print(f'gap p99 - true ms, {size}\t{gap[0]:.2f}\t\t{gap[1]:.2f}\t1.5\t{gap[1] <= 1.5}')
        peak = max(peaks[streams])
        print(f'load JVM peak MiB, {streams} streams\t\t\t{peak:.0f}\t512\t{peak <= 512}')
    for itl, name in (('20', 'paced'), ('0', 'full speed'), ('-1', 'many in a write')):
        cpu = [each(client, itl, 'cpu_us_per_event') for client in ('bare', 'before', 'tally')]
        goal = ('before x 1.3', cpu[2] <= 1.3 * cpu[1]) if itl == '20' else ('', '')
        print('\t'.join([f'CPU us an event, {name}'] + [f'{each:.2f}' for each in cpu] + [str(part) for part in goal]))
        made = [each(client, itl, 'bytes_per_event') for client in ('bare', 'before', 'tally')]
        print('\t'.join([f'bytes an event, {name}'] + [f'{each:.0f}' for each in made] + ['', '']))
    events = statistics.median(whole)
    print(f'events a CPU s, whole program\t\t\t{events:.0f}\t60000\t{events >= 60000}')


if __name__ == '__main__':
    if sys.argv[1] == 'head':
        print('\t'.join(HEAD))
    elif sys.argv[1] == 'goals':
        goals(sys.argv[2])
    elif sys.argv[1] == 'table':
        table(sys.argv[2])
    elif sys.argv[1] == 'wave':
        name, _, path, seen = sys.argv[2:] or 4 * ['']
        print('\t'.join(wave(name, truth(path), seen) if name
                        else ['client', 'requests', 'ttft+50', 'ttft+99', 'ttft+max', 'late50', 'late99', 'connect99']))
    elif sys.argv[1] == 'closed':
        name, users, path, folder, skip = sys.argv[2:] or 5 * ['']
        print('\t'.join(closed(name, int(users), truth(path), folder, float(skip)) if name
                        else ['client', 'users', 'requests', 'late50', 'late99', 'latemax', 'idle50', 'idle99']))
    else:
        client, size, path, seen = sys.argv[1:5]
        skip = float(sys.argv[5]) if len(sys.argv) > 5 else 0
        server = truth(path)
        print('\t'.join([client, size] + events(size, server, seen) if client == 'events'
                        else row(client, size, server, seen, skip)))
