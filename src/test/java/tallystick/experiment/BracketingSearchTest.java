package tallystick.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BracketingSearchTest {
  @Test
  void triesTheRatesOfTheVector() throws IOException {
    JsonNode vector;
    try (InputStream stream =
        BracketingSearchTest.class.getResourceAsStream("capacity-search.json")) {
      vector = new ObjectMapper().readTree(stream);
    }
    double truth = vector.path("truth").asDouble();
    List<BracketingSearch.Trial> trials = new ArrayList<>();
    BracketingSearch bracket = BracketingSearch.of(trials);
    for (JsonNode expected : vector.path("probes")) {
      double rate = bracket.next(2);
      assertThat(rate).isCloseTo(expected.path("rate").asDouble(), within(1e-9));
      trials.add(new BracketingSearch.Trial(rate, rate <= truth));
      bracket = BracketingSearch.of(trials);
    }
    assertThat(bracket.low()).isCloseTo(vector.path("lo").asDouble(), within(1e-9));
    assertThat(bracket.high()).isCloseTo(vector.path("hi").asDouble(), within(1e-9));
    assertThat(bracket.isWithin(1.05)).isTrue();
  }

  @Test
  void goesDownUntilOneHolds() {
    BracketingSearch bracket = BracketingSearch.of(List.of(new BracketingSearch.Trial(3, false)));

    assertThat(bracket.next(3)).isEqualTo(2);
    assertThat(bracket.isWithin(1.05)).isFalse();
  }

  @Test
  void aRateThatHeldAboveOneThatFailedIsNoLowerEnd() {
    BracketingSearch bracket =
        BracketingSearch.of(
            List.of(
                new BracketingSearch.Trial(2, true),
                new BracketingSearch.Trial(3, false),
                new BracketingSearch.Trial(4, true)));

    assertThat(bracket).isEqualTo(new BracketingSearch(2, 3));
  }
}
