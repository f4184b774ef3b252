package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;

/** Requests are spread over pools, and the place given back last is taken first. */
class ConnectionPoolShardsTest {
  private final List<OkHttpClient> made = new ArrayList<>();
  private final ConnectionPoolShards places =
      new ConnectionPoolShards(
          () -> {
            made.add(new OkHttpClient.Builder().connectionPool(new ConnectionPool()).build());
            return made.getLast();
          });

  @Test
  void noPoolServesMoreRequestsAtATimeThanItHasPlaces() {
    List<OkHttpClient> taken = new ArrayList<>();
    for (int i = 0; i < 2 * ConnectionPoolShards.PLACES + 1; i++) {
      taken.add(places.take());
    }

    assertThat(made).hasSize(3);
    assertThat(taken.subList(0, ConnectionPoolShards.PLACES)).containsOnly(made.get(0));
    assertThat(taken.getLast()).isSameAs(made.get(2));
  }

  @Test
  void aPlaceThatBecameFreeIsTakenBeforeAnother() {
    Set<OkHttpClient> others = new HashSet<>();
    OkHttpClient first = places.take();
    for (int i = 0; i < ConnectionPoolShards.PLACES; i++) {
      others.add(places.take());
    }
    places.giveBack(first);

    assertThat(places.take()).isSameAs(first);
    assertThat(others).hasSize(2);
  }

  @Test
  void oneRequestAfterAnotherNeedsOnePool() {
    for (int i = 0; i < 1000; i++) {
      places.giveBack(places.take());
    }

    assertThat(made).hasSize(1);
  }
}
