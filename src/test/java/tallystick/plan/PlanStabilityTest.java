package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.plan.ScenarioFixture.SECOND;
import static tallystick.plan.ScenarioFixture.poisson;
import static tallystick.plan.ScenarioFixture.requests;
import static tallystick.plan.ScenarioFixture.scenario;
import static tallystick.plan.ScenarioFixture.seconds;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.scenario.Arrival;
import tallystick.scenario.Lengths;
import tallystick.scenario.Rate;
import tallystick.scenario.RequestContent;
import tallystick.scenario.Workload;
import tallystick.scenario.Workload.Cancellation;
import tallystick.scenario.Workload.ClassForm;
import tallystick.scenario.Workload.Conversation;
import tallystick.scenario.Workload.RequestClass;
import tallystick.scenario.Workload.SharedPrefixes;
import tallystick.scenario.ThinkTime;

/**
 * Pins plans bit by bit: a scenario and a seed give the same plan on every machine and in every
 * release. A hash that changes is a change of behaviour, for the changelog.
 */
class PlanStabilityTest {

  @ParameterizedTest
  @CsvSource({
    "constant, 1, 998826400206b040",
    "poisson, 1, cffbf1afdd4e8878",
    "poisson, 2, 74de7e691247164f",
    "bursty, 1, 53fd34ad6d090b3d",
    "ramp, 1, cdd84931ebdb78fa",
    "sine, 1, ec81d8c8b9c143e7",
    "steps, 1, a3888dfbad9448ca",
    "closed, 1, fa838e40f41ed38b",
  })
  void aScenarioAndASeedGiveThisVeryPlan(String arrival, long seed, String hash) {
    Workload workload = new Workload(arrival(arrival), List.of(everything(), lognormal()));
    Plan plan = Planner.plan(
        scenario(workload, arrival.equals("closed") ? requests(200) : seconds(20), requests(9)),
        seed);

    assertThat(hash(plan)).isEqualTo(hash);
  }

  @Test
  void aPlanIsPlannedTwiceAlike() {
    Workload workload = new Workload(poisson(9), List.of(everything(), lognormal()));

    assertThat(Planner.plan(scenario(workload, seconds(20), requests(9)), 5))
        .isEqualTo(Planner.plan(scenario(workload, seconds(20), requests(9)), 5));
  }

  private static Arrival arrival(String word) {
    Rate steady = new Rate.Steady(9);
    return switch (word) {
      case "constant" -> new Arrival.Open(steady, Arrival.Open.CONSTANT, 0);
      case "poisson" -> poisson(steady);
      case "bursty" -> new Arrival.Open(steady, 0.5, 0);
      case "ramp" -> poisson(new Rate.Ramp(1, 20, 20));
      case "sine" -> poisson(new Rate.Sine(9, 8, 7));
      case "steps" -> poisson(new Rate.Steps(List.of(
          new Rate.Step("low", 2, 10 * SECOND), new Rate.Step("high", 20, 10 * SECOND))));
      case "closed" -> new Arrival.Closed(5);
      default -> throw new IllegalArgumentException(word);
    };
  }

  private static RequestClass everything() {
    Lengths empirical = new Lengths.Empirical(
        List.of(new Lengths.Weighted(64, 3), new Lengths.Weighted(512, 1)));
    return new RequestClass(
        "chat", 2,
        new RequestContent.Sampled(new Lengths.Uniform(10, 400), empirical),
        new SharedPrefixes(3, 0.7, 64),
        new Conversation(new Lengths.Uniform(1, 3), new ThinkTime.Exponential(SECOND)),
        new Cancellation(0.2, SECOND, 5), ClassForm.PLAIN);
  }

  private static RequestClass lognormal() {
    return RequestClass.plain(
        "batch", new Lengths.Lognormal(300, 0.7, 1, 4000), new Lengths.Normal(60, 20, 1, 200));
  }

  private static String hash(Plan plan) {
    StringBuilder text = new StringBuilder();
    plan.settings().phases().forEach(p -> text.append(
        String.join("|", p.name(), "" + p.startNanos(), "" + p.endNanos())).append('\n'));
    for (PlannedRequest r : plan.requests()) {
      Prompt.Synthetic prompt = (Prompt.Synthetic) r.prompt();
      text.append(String.join("|",
          "" + r.index(), r.phase(), r.requestClass(), "" + r.user(), "" + r.turn(),
          "" + r.offsetNanos(), "" + r.thinkNanos(), "" + prompt.tokens(),
          String.join(",", prompt.prefixes().stream().map(p -> p.id() + ":" + p.tokens())
              .toList()),
          "" + r.maxTokens(), "" + r.choices(), "" + r.target(),
          "" + r.cancel().afterNanos(), "" + r.cancel().afterTokens())).append('\n');
    }
    return sha256(text.toString()).substring(0, 16);
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
