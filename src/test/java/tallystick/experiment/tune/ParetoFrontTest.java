package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ParetoFrontTest {
  private static final double[] TOLERANCE = {0.03, 0.03};

  @Test
  void findsTheFrontOfTheVector() throws IOException {
    JsonNode vector =
        new ObjectMapper().readTree(getClass().getResource("/vectors/pareto.json"));
    List<JsonNode> configs = new ArrayList<>();
    vector.get("configs").forEach(configs::add);
    double[][] costs =
        configs.stream()
            .map(
                one ->
                    new double[] {
                      -one.get("goodput").asDouble(), one.get("itl99").asDouble(),
                      one.get("preempt").asDouble()
                    })
            .toArray(double[][]::new);
    boolean[] allowed = new boolean[costs.length];
    Arrays.fill(allowed, true);

    boolean[] onFront = ParetoFront.of(costs, new double[3], allowed);

    List<String> found = new ArrayList<>();
    for (int i = 0; i < onFront.length; i++) {
      if (onFront[i]) {
        found.add(configs.get(i).get("name").asText());
      }
    }
    List<String> expected = new ArrayList<>();
    vector.get("front").forEach(one -> expected.add(one.asText()));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void whatFailsTheObjectivesIsNotOnItAndKeepsNobodyFromIt() {
    double[][] costs = {{-1, 0}, {0, 1}};

    assertThat(ParetoFront.of(costs, TOLERANCE, new boolean[] {true, true}))
        .containsExactly(true, false);
    assertThat(ParetoFront.of(costs, TOLERANCE, new boolean[] {false, true}))
        .containsExactly(false, true);
  }

  @Test
  void differencesWithinTheToleranceDecideNothing() {
    assertThat(
            ParetoFront.of(
                new double[][] {{0, 0}, {0.02, 0.02}}, TOLERANCE, new boolean[] {true, true}))
        .containsExactly(true, true);
  }

  private static ParetoFront.Chances chances(int blocks, double gap, double noise, long seed) {
    Random random = new Random(seed);
    double[][][] costs = new double[blocks][4][2];
    double[][] shares = new double[blocks][4];
    for (int block = 0; block < blocks; block++) {
      double common = 0.3 * random.nextGaussian();
      for (int cell = 0; cell < 4; cell++) {
        shares[block][cell] = cell == 3 ? 0.5 + 0.01 * random.nextGaussian() : 0.99;
        for (int cost = 0; cost < 2; cost++) {
          costs[block][cell][cost] =
              common + (cell == 0 ? gap : 0) + noise * random.nextGaussian();
        }
      }
    }
    return ParetoFront.chances(
        costs, new SloAttainment(shares, new long[] {500, 500, 500, 500}, 0.9), TOLERANCE, 1);
  }

  @Test
  void aCellFarBehindIsOffTheFrontAndOneThatFailsIsCalledSo() {
    ParetoFront.Chances chances = chances(3, 0.5, 0.02, 1);

    assertThat(chances.onFront()[0]).isZero();
    assertThat(chances.holds()).satisfies(holds -> assertThat(holds[3]).isZero());
    assertThat(chances.onFront()[3]).isZero();
    assertThat(chances.onFront()[1]).isGreaterThan(0.1);
  }

  /** Equal cells: each time one is called off the front, the call is wrong. */
  @Test
  void equalCellsAreSeldomCalledOff() {
    int wrong = 0;
    for (int seed = 100; seed < 160; seed++) {
      ParetoFront.Beaten[] beaten = chances(3, 0, 0.04, seed).beaten();
      wrong +=
          Arrays.stream(beaten, 0, 3).anyMatch(one -> one.chance() >= 0.9875) ? 1 : 0;
    }
    assertThat(wrong).isLessThanOrEqualTo(3);
  }

  /** Nine settings that do nothing, told by four figures whose noise is as large as what counts. */
  @Test
  void ofManyEqualCellsOneIsSeldomCalledOff() {
    double[] tolerance = {0.03, 0.03, 0.03, 0.03};
    int wrong = 0;
    for (int seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      double[][][] costs = new double[3][9][4];
      for (double[][] block : costs) {
        for (double[] cell : block) {
          Arrays.setAll(cell, cost -> 0.045 * random.nextGaussian());
        }
      }
      ParetoFront.Chances chances =
          ParetoFront.chances(
              costs, SloAttainmentTest.shares(0.9, 400, 9, 1, 1, 1), tolerance, seed);
      wrong +=
          Arrays.stream(chances.beaten()).anyMatch(beaten -> beaten.chance() >= 1 - 0.05 / 9)
              ? 1
              : 0;
    }
    assertThat(wrong).isLessThanOrEqualTo(5);
  }

  @Test
  void whatBeatsACellForSureIsNamed() {
    double[][][] costs = new double[3][3][2];
    for (double[][] block : costs) {
      block[1] = new double[] {0.5, 0.5};
      block[2] = new double[] {-0.5, 0.5};
    }

    ParetoFront.Chances chances =
        ParetoFront.chances(costs, SloAttainmentTest.shares(0.9, 400, 3, 1, 1, 1), TOLERANCE, 1);

    assertThat(chances.beaten()[1]).isEqualTo(new ParetoFront.Beaten(0, 1));
    assertThat(chances.beaten()[0].chance()).isZero();
    assertThat(chances.onFront()).satisfies(chance -> assertThat(chance[2]).isGreaterThan(0.99));
  }
}
