package org.svcmailbox.core.mailbox;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs of three nodes that give groups to each other, are stopped and lose their
 * sessions, against {@link GroupMovesProgram}.
 */
class GroupMovesProgramTest {
  static Stream<Long> seeds() {
    return Seeds.upTo(3);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void nodesOfOneWorkerAgreeWithTheModel(long seed) {
    new GroupMovesProgram(seed, 1).run();
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void nodesOfTwoWorkersAgreeWithTheModel(long seed) {
    new GroupMovesProgram(seed, 2).run();
  }
}
