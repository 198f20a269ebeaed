package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.ejb.broker.ArtemisProcess.Release;

/**
 * The rounds of {@link GroupFenceTest} on the broker that operators lay out, in a process of its
 * own.
 */
@Tag("nightly")
final class GroupFenceReleasesTest {
  @ParameterizedTest
  @EnumSource
  void whicheverWayASessionEndsTheNextOneFindsAllOrNothingOfItsLastBatch(
      Release release, @TempDir Path directory, TestReporter reporter) {
    try (ArtemisProcess process =
        ArtemisProcess.start(directory.resolve("broker"), release, Map.of())) {
      List<WorkerId> groups = GroupNodes.makeGroups(process.access(), 2);
      try (GroupDrill drill =
          new GroupDrill(
              new GroupNodes.Remote(process.access()),
              groups,
              GroupRounds.random(),
              GroupDrill.Rule.ALL,
              GroupRounds.AFTERWARDS)) {
        GroupRounds.run(drill);
        reporter.publishEntry("fence", release + ": " + drill.summary());
        assertEquals(List.of(), drill.violations(), GroupRounds.seed());
      }
    }
  }
}
