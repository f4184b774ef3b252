package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.cli.exit.ExitCode;

/** What is mistyped at {@code tally engine}. */
class EngineCommandTest {

  @ParameterizedTest
  @ValueSource(strings = {"-5", "65536", "99999"})
  void aNumberThatIsNoPortIsTheUsersMistake(String port) {
    CommandRun ran = CommandRun.of("engine", "--port=" + port);
    assertThat(ran.code()).isEqualTo(ExitCode.USER_MISTAKE.number());
    assertThat(ran.output())
        .contains("--port " + port + " is not a port: give one from 1 to 65535");
  }

  @Test
  void aPortInUseIsNamedWithItsRemedy() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      CommandRun ran = CommandRun.of("engine", "--port=" + taken.getLocalPort());
      assertThat(ran.code()).isEqualTo(ExitCode.WORLD_FAILED.number());
      assertThat(ran.output())
          .startsWith("cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .contains("in use")
          .contains("or 0 for a free one")
          .doesNotContain("Exception");
    }
  }
}
