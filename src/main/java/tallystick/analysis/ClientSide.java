package tallystick.analysis;

/** What one pass over the requests gathered, by purpose. */
record ClientSide(
    LatencySamples latencies, RequestCounts counts, ClientTally tally, ClientTimeline timeline) {}
