package tallystick.simengine;

import java.util.List;

/**
 * One prompt a client wants continued, checked and with every default filled in.
 *
 * @param prompt token ids, at least one
 * @param limits when its output ends
 * @param stop strings that end the output
 * @param choices how many continuations ({@code n})
 * @param streamInterval tokens between two deliveries after the first
 * @param priority lower is served first under the priority policy
 */
record Generation(
    int[] prompt,
    Sequence.SamplingLimits limits,
    List<String> stop,
    int choices,
    int streamInterval,
    int priority) {
  Generation {
    stop = List.copyOf(stop);
  }
}
