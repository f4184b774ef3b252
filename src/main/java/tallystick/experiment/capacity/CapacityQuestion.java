package tallystick.experiment.capacity;

/**
 * What a search for the capacity is asked.
 *
 * @param share of requests that must keep every limit
 * @param firstPerSecond rate of the first probe, where no closed loop tells a better one
 * @param isFirstAsked whether it begins there although a closed loop was played
 * @param users of that closed loop; 0 where none can be played
 * @param mostPerSecond rate beyond which nothing is tried
 * @param budgetSeconds time for all probes; infinite where none is given
 * @param overheadSeconds what a probe takes beside its load, until one has shown it
 * @param seed of the experiment
 */
record CapacityQuestion(
    double share,
    double firstPerSecond,
    boolean isFirstAsked,
    int users,
    double mostPerSecond,
    double budgetSeconds,
    double overheadSeconds,
    long seed) {}
