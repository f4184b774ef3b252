package tallystick.scrape;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Collects a response's body and breaks the response off when it grows past the limit. */
final class LimitedBody implements BodySubscriber<byte[]> {
  private static final int UNANNOUNCED_SIZE = 1 << 16;

  private final int limit;
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
  private Flow.Subscription subscription;
  private byte[] bytes;
  private int size;

  /** A body of which {@code announced} bytes are expected, 0 if nobody said how many. */
  LimitedBody(int limit, long announced) {
    this.limit = limit;
    this.bytes = new byte[announced > 0 ? (int) Math.min(limit, announced) : UNANNOUNCED_SIZE];
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return whole;
  }

  @Override
  public void onSubscribe(Flow.Subscription incoming) {
    subscription = incoming;
    incoming.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      int length = part.remaining();
      if (size + (long) length > limit) {
        subscription.cancel();
        whole.completeExceptionally(
            new IOException("the answer is larger than " + limit + " bytes"));
        return;
      }
      if (size + length > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(size + length, (int) Math.min(limit, size * 2L)));
      }
      part.get(bytes, size, length);
      size += length;
    }
  }

  @Override
  public void onError(Throwable cause) {
    whole.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    whole.complete(size == bytes.length ? bytes : Arrays.copyOf(bytes, size));
  }
}
