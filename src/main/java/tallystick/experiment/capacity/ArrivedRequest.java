package tallystick.experiment.capacity;

/**
 * A request of a schedule.
 *
 * @param atSeconds when it was to start, from the begin of the load
 * @param engine which of several targets it goes to, from 0
 * @param requestClass whose limits it must keep
 * @param promptTokens of its prompt
 * @param cachedTokens of those that the engine need not compute
 * @param outputTokens of its answer, at least one
 */
record ArrivedRequest(
    double atSeconds,
    int engine,
    String requestClass,
    int promptTokens,
    int cachedTokens,
    int outputTokens) {
  ArrivedRequest {
    if (cachedTokens < 0 || cachedTokens > promptTokens || outputTokens < 1) {
      throw new IllegalArgumentException(
          "no request: " + cachedTokens + " of " + promptTokens + " prompt tokens cached, "
              + outputTokens + " output tokens");
    }
  }

  /** Such a request at another time, to another engine. */
  ArrivedRequest at(double seconds, int another) {
    return new ArrivedRequest(
        seconds, another, requestClass, promptTokens, cachedTokens, outputTokens);
  }
}
