package tallystick.simengine;

/**
 * Moments of one choice of a request on the engine's clock, in nanoseconds.
 *
 * @param arrivalNanos when the request reached the server
 * @param queuedNanos when the scheduler took it in
 * @param scheduledNanos start of the step that first admitted it
 * @param firstTokenNanos end of the step that gave its first token
 * @param lastTokenNanos end of the step that gave its last token
 */
record RequestTimes(
    long arrivalNanos,
    long queuedNanos,
    long scheduledNanos,
    long firstTokenNanos,
    long lastTokenNanos) {

  long endToEndNanos() {
    return lastTokenNanos - arrivalNanos;
  }

  long queueNanos() {
    return scheduledNanos - queuedNanos;
  }

  long prefillNanos() {
    return firstTokenNanos - scheduledNanos;
  }

  long decodeNanos() {
    return lastTokenNanos - firstTokenNanos;
  }

  long inferenceNanos() {
    return lastTokenNanos - scheduledNanos;
  }
}
