package tallystick.alerting;

/**
 * An alert without a threshold, because the measurements cannot carry one.
 *
 * @param alertName for example {@code VLLMHighTTFT}
 * @param watches what it would watch, in words
 * @param code which condition failed
 * @param missing the number that was missing, for example {@code 0 violated of 1 steps in this run,
 *     need >= 2}
 */
public record RefusedAlert(String alertName, String watches, RefusalCode code, String missing) {}
