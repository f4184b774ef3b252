package tallystick.simengine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Streams of the engine on bare sockets, for a reader that costs as little as can be. */
public final class BareStreams {
  private BareStreams() {}

  /** An engine of many sequences whose steps all take as long. */
  public static EngineSettings engine(double stepNanos) {
    return EngineSettings.ofFlags(
            Map.of(
                "max-num-seqs", "256", "num-gpu-blocks-override", "40000", "end-token-share", "0"))
        .with(
            new StepTimeProfile(
                "bench", stepNanos, 0, 0, 0, 0, StepTimeProfile.ApiServerTime.NONE, 0));
  }

  /** A connection whose answer the selector tells of. */
  public static SocketChannel connect(String url, Selector selector, Object attachment)
      throws IOException {
    URI uri = URI.create(url);
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(uri.getHost(), uri.getPort()));
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, attachment);
    return channel;
  }

  /** The bytes that ask for one stream of so many tokens. */
  public static ByteBuffer request(int tokens) {
    String body =
        "{\"prompt\":[9],\"max_tokens\":" + tokens + ",\"ignore_eos\":true,\"stream\":true}";
    String head =
        "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    return ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
  }
}
