package tallystick.experiment.capacity;

/**
 * What a search for the capacity is asked.
 *
 * @param share of requests that must keep every limit
 * @param firstPerSecond rate of the first probe
 * @param mostPerSecond rate beyond which nothing is tried
 * @param budgetSeconds time for all probes; infinite where none is given
 * @param overheadSeconds what a probe takes beside its load, until one has shown it
 * @param seed of the experiment
 */
record CapacityQuestion(
    double share,
    double firstPerSecond,
    double mostPerSecond,
    double budgetSeconds,
    double overheadSeconds,
    long seed) {}
