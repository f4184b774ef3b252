package tallystick.analysis;

import java.util.OptionalLong;

/**
 * What is known of a run before its requests are read.
 *
 * @param originNanos where the measured window begins; empty where no mark tells
 * @param stoppedNanos when a stop rule ended the load; empty where none did
 */
public record RunMarks(OptionalLong originNanos, OptionalLong stoppedNanos) {}
