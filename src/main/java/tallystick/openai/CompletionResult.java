package tallystick.openai;

import tallystick.runrecord.RequestRow.Chunks;
import tallystick.runrecord.RequestRow.Ending;
import tallystick.runrecord.RequestRow.EngineTimings;
import tallystick.runrecord.RequestRow.Usage;

/**
 * One streamed answer. Moments are {@code System.nanoTime()} values here; 0 where the request did
 * not get there.
 *
 * @param moments when each step happened
 * @param chunks content chunks, arrivals as {@code System.nanoTime()}
 * @param usage the server's counts
 * @param ending how it ended
 * @param engine the engine's own account of the request
 * @param text what the model said, only as much as a conversation needs
 * @param id the answer's own, as a conversation may need it; empty where none was told
 * @param protocol what the server spoke, for example {@code h2}; empty where it did not answer
 */
public record CompletionResult(
    Moments moments, Chunks chunks, Usage usage, Ending ending, EngineTimings engine, String text,
    String id, String protocol) {

  /** Steps of one request, {@code System.nanoTime()}; 0 means never. */
  public record Moments(
      long started,
      long connectStarted,
      long tlsStarted,
      long connected,
      long written,
      long headers,
      long firstByte,
      long ended) {}
}
