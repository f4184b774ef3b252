package tallystick.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.Golden;

/** What each command answers to a mistake on the command line, with its exit code. */
class CommandMistakesTest {
  private static final String CHAT = "scenarios/steady-chat.yaml";
  private static final String SAMPLE = "reports/sample";
  private static final String NEAR = " --target http://127.0.0.1:9";

  /** Each is refused before anything is sent, started or measured. */
  private static final List<String> TYPED =
      List.of(
          "", "launch", "engine --port 70000", "engine --max-num-seqs 0", "engine --port x",
          "export " + SAMPLE + " --format parquet --verbatim", "export DIR/none --format csv",
          "export " + SAMPLE + " --format x",
          "open DIR/none", "open DIR/empty", "history DIR/none", "history DIR/empty",
          "history reports --metric x",
          "history reports --metric ttft_p95 --metric ttft_p50 --metric itl_p99 --metric e2e_p95"
              + " --metric tpot_mean",
          "doctor", "doctor" + NEAR + " --objective x=1s", "doctor" + NEAR + " --objective ttft=1",
          "doctor" + NEAR + NEAR + " --metrics-url http://127.0.0.1:9/metrics",
          "doctor" + NEAR + " --api-key-env DIR_NONE", "doctor --target ftp://a",
          "doctor" + NEAR + " --ca-file DIR/none", "doctor" + NEAR + " --every x",
          "doctor" + NEAR + " --metrics-url http://a:1 --metrics-url http://a:1",
          "snapshot http://127.0.0.1:9 --count 2", "snapshot http://127.0.0.1:9 --count -1",
          "snapshot http://127.0.0.1:9 --every -1", "snapshot http://127.0.0.1:9 --warn x",
          "snapshot file:DIR/none", "snapshot nowhere",
          "plan " + CHAT + " --rows -1", "plan " + CHAT + " --set engine.max_num_seqs=0",
          "plan " + CHAT + " --set workload.rate=0.0001", "plan DIR/none", "plan " + CHAT + " --x",
          "alerts " + SAMPLE + " --window -1", "alerts " + SAMPLE + " --slo DIR/none",
          "alerts " + SAMPLE + " --slo DIR/empty", "alerts " + SAMPLE + " --slo DIR/bad.txt",
          "alerts " + SAMPLE + " --slo DIR/e2e.yaml", "alerts " + SAMPLE + " --window x",
          "alerts " + SAMPLE + " --spelling x",
          "backtest DIR/none " + SAMPLE, "backtest " + SAMPLE + " DIR/bad.txt",
          "backtest DIR/bad.txt " + SAMPLE, "backtest DIR/rules.yaml " + SAMPLE,
          "backtest DIR/rules.yaml " + SAMPLE + " --scrape-interval 0",
          "lint DIR/none", "lint DIR/bad.txt", "lint DIR/empty",
          "lint DIR/rules.yaml --exposition DIR/none",
          "lint DIR/rules.yaml --exposition DIR/bad.txt", "lint DIR/rules.yaml --target x",
          "merge DIR/empty --out DIR/empty", "merge DIR/empty --out DIR", "merge DIR/none",
          "simulate " + CHAT + " --foreign-share -1", "simulate " + CHAT + " --block-size 0",
          "simulate " + CHAT + " --out DIR/bad.txt/a",
          "run " + CHAT + " --load-heap x", "run " + CHAT + " --start-at 1",
          "run " + CHAT + " --shard 0/2", "run " + CHAT + " --shard 0/2 --start-at 1",
          "run " + CHAT + NEAR + " --shard 2/2 --start-at 1",
          "run " + CHAT + NEAR + " --shard x --start-at 1",
          "run " + CHAT + NEAR + " --shard 0/2 --start-at x",
          "run " + CHAT + NEAR + " --shard 0/2 --start-at 1 --drain x",
          "run " + CHAT + NEAR + " --shard 0/2 --start-at 1",
          "run " + CHAT + " --metrics-url http://127.0.0.1:9/metrics",
          "run " + CHAT + NEAR + " --no-scrape --metrics-url http://127.0.0.1:9/metrics",
          "run " + CHAT + " --set engine.max_num_seqs=0", "run " + CHAT + " --target x",
          "run " + CHAT + " --api-key-env DIR_NONE",
          "run " + CHAT + " --set targets_file=a --no-scrape", "run " + CHAT + " --rate 3",
          "launch slurm " + CHAT + " --shards 2", "launch slurm " + CHAT + NEAR + " --shards 0",
          "launch slurm " + CHAT + NEAR + " --shards 2 --lead 1s",
          "launch slurm " + CHAT + NEAR + " --shards 2 --lead x",
          "launch slurm " + CHAT + NEAR + " --shards 2 --drain x",
          "launch kubernetes " + CHAT + NEAR + " --shards 2 --image a --claim A",
          "launch kubernetes " + CHAT + NEAR + " --shards 2 --image a --claim a --cpu x",
          "launch kubernetes " + CHAT + NEAR + " --shards 2 --image a --claim a --namespace A",
          "launch kubernetes " + CHAT + NEAR + " --shards 2 --image a --claim a --set"
              + " request.api_key_env=A",
          "launch kubernetes scenarios/prompt-file.yaml" + NEAR
              + " --shards 2 --image a --claim a",
          "launch llm-d scenarios/prompt-file.yaml",
          "fit DIR/none", "fit " + SAMPLE + " --out DIR", "fit " + SAMPLE + " --block-size 0",
          "fit " + SAMPLE + " " + SAMPLE, "verify DIR/none", "report DIR/none",
          "report " + SAMPLE + " --require x", "report " + SAMPLE + " --require too_close",
          "report " + SAMPLE + " --accept-unproven --require sure",
          "compare " + SAMPLE, "compare -- " + SAMPLE, "compare " + SAMPLE + " -- --json",
          "compare " + SAMPLE + " -- --x", "compare " + SAMPLE + " -- " + SAMPLE + " --margin x=1",
          "compare DIR/bad.txt -- " + SAMPLE, "compare " + SAMPLE + " -- " + SAMPLE + " --save",
          "capacity " + CHAT + " --rehearse --budget x",
          "capacity " + CHAT + " --rehearse --budget 0",
          "capacity " + CHAT + " --rehearse --window 5m",
          "capacity " + CHAT + " --rehearse --traffic " + CHAT + " --window x",
          "capacity " + CHAT + " --rehearse --from x", "capacity " + CHAT + " --rehearse --from -1",
          "capacity " + CHAT + " --rehearse --share 2",
          "capacity " + CHAT + " --rehearse --predict DIR/none",
          "capacity " + CHAT + " --rehearse --resume DIR/empty",
          "capacity " + CHAT + " --rehearse --serve x", "capacity " + CHAT + " --keep-engine",
          "capacity " + CHAT + " --serve x --serve-deployment y",
          "capacity " + CHAT + " --serve x" + NEAR, "capacity " + CHAT + " --namespace a",
          "capacity " + CHAT + " --serve-deployment A --namespace a --serve-url http://a:1",
          "capacity " + CHAT + " --serve-deployment a", "capacity " + CHAT + " --block-size 0",
          "capacity " + CHAT + " --set targets_file=a", "capacity " + CHAT + " --serve 'x",
          "study " + CHAT + " --rehearse --from -1", "study " + CHAT + " --rehearse --mix DIR/none",
          "study " + CHAT + " --rehearse --predict DIR/none --set targets=[http://a:1,http://b:1]",
          "regress " + CHAT, "regress " + CHAT + " --base http://127.0.0.1:9",
          "regress " + CHAT + " --candidate http://127.0.0.1:9",
          "regress " + CHAT + " --candidate x", "regress " + CHAT + " --rehearse --base x",
          "regress " + CHAT + " --rehearse --base http://127.0.0.1:9",
          "regress " + CHAT + " --rehearse --calibrate --candidate-engine a=1",
          "regress " + CHAT + " --rehearse --baseline DIR/none",
          "regress " + CHAT + " --rehearse --baseline DIR/bad.txt",
          "regress " + CHAT + " --rehearse --baseline DIR/bad.txt --base http://a:1",
          "regress " + CHAT + " --rehearse --save-baseline DIR",
          "regress " + CHAT + " --rehearse --save-baseline DIR/none/a",
          "regress " + CHAT + " --rehearse --candidate-engine x",
          "regress " + CHAT + " --rehearse --candidate-engine x=1",
          "regress " + CHAT + " --rehearse --repeats 1 --candidate-engine max-num-seqs=8",
          "regress " + CHAT + " --rehearse --noise DIR/none --candidate-engine max-num-seqs=8",
          "regress " + CHAT + " --rehearse --margin x=1 --candidate-engine max-num-seqs=8",
          "regress " + CHAT + " --rehearse --margins DIR/none --candidate-engine max-num-seqs=8",
          "regress " + CHAT + " --serve x --base http://127.0.0.1:9",
          "tune " + CHAT + " --rehearse", "tune " + CHAT + " --rehearse --vary x=1,2",
          "tune " + CHAT + " --rehearse --vary max_num_seqs=8,16 --current block_size=1",
          "tune " + CHAT + " --rehearse --vary max_num_seqs=8,16 --blocks 1",
          "tune " + CHAT + " --rehearse --vary max_num_seqs=8,16 --margin e2e_p95=5%",
          "tune " + CHAT + " --rehearse --vary max_num_seqs=8,16 --share 2",
          "tune " + CHAT + " --rehearse --vary max_num_seqs=8,16 --budget x",
          "tune " + CHAT + " --vary max_num_seqs=8,16 --serve x", "completion x", "analyse");

  @TempDir private Path folder;

  @Test
  void everyMistakeIsAnsweredAsBefore() throws IOException {
    Files.createDirectory(folder.resolve("empty"));
    Files.write(folder.resolve("bad.txt"), new byte[] {'a', (byte) 0xff, '\n'});
    Files.writeString(folder.resolve("e2e.yaml"), "objectives: [{cost: 1s}]\n");
    Files.writeString(
        folder.resolve("rules.yaml"),
        "groups:\n- name: a\n  rules:\n  - alert: b\n    expr: holt_winters(x[1m], 1)\n");
    StringBuilder said = new StringBuilder();
    for (String typed : TYPED) {
      String[] words = typed.replace("DIR/", folder + "/").replaceAll("DIR$", folder + "")
          .split(" ");
      CommandRun run = typed.isEmpty() ? CommandRun.of() : CommandRun.of(words);
      said.append("$ tally ").append(typed).append('\n')
          .append(run.output().replace(folder.toString(), "DIR").replaceAll("\\d{4}-\\S+Z", "TIME"))
          .append("exit ").append(run.code()).append('\n');
    }
    Golden.assertSame("command/mistakes.txt", said.toString());
  }
}
