package tallystick.openai;

import java.util.concurrent.ExecutorService;
import okhttp3.Dns;

/** Opens the way, for the benchmark alone, to a client whose streams run on a given executor. */
public final class ClientOnExecutor {
  private ClientOnExecutor() {}

  /** A client with the streams of the benchmark's choice. */
  public static CompletionClient open(ClientSettings settings, ExecutorService streams) {
    return new CompletionClient(settings, streams, Dns.SYSTEM);
  }
}
