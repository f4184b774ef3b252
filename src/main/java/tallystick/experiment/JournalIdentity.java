package tallystick.experiment;

/**
 * What an experiment knows its own journal by.
 *
 * @param experiment its word, for example {@code capacity}
 * @param scenario name of the scenario
 * @param fingerprint of all that a decision depends on
 * @param type of what a finished run leaves
 */
public record JournalIdentity<E>(
    String experiment, String scenario, Fingerprint fingerprint, Class<E> type) {}
