package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;

/** Each request in flight has a pool of its own, and the one given back last is taken first. */
class ConnectionPoolShardsTest {
  private final List<OkHttpClient> made = new ArrayList<>();
  private final ConnectionPoolShards places =
      new ConnectionPoolShards(
          () -> {
            made.add(new OkHttpClient.Builder().connectionPool(new ConnectionPool()).build());
            return made.getLast();
          });

  @Test
  void requestsInFlightShareNoPool() {
    Set<OkHttpClient> taken = new HashSet<>(List.of(places.take(), places.take(), places.take()));

    assertThat(taken).hasSize(3).containsExactlyInAnyOrderElementsOf(made);
  }

  @Test
  void aPoolThatBecameFreeIsTakenBeforeANewOne() {
    OkHttpClient first = places.take();
    OkHttpClient second = places.take();
    places.giveBack(second);
    places.giveBack(first);

    assertThat(places.take()).isSameAs(first);
    assertThat(places.take()).isSameAs(second);
    assertThat(made).hasSize(2);
  }

  @Test
  void oneRequestAfterAnotherNeedsOnePool() {
    for (int i = 0; i < 1000; i++) {
      places.giveBack(places.take());
    }

    assertThat(made).hasSize(1);
  }
}
