package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.WorkerId;

/** An owner of a group that says nothing for a while, as a stopped process, and then goes on. */
final class SilentOwnerTest {
  private static final Duration TTL = Duration.ofMillis(1_500);
  private static final Duration BEFORE = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MESSAGES = 20;
  private static final int ENDED = 10;

  @Test
  void theGroupIsAnothersAfterTheConnectionsTimeAndTheOwnerCommitsNothing(
      @TempDir Path directory, TestReporter reporter) {
    try (ListeningBroker broker =
            new ListeningBroker(
                directory,
                false,
                configuration ->
                    configuration
                        .setConnectionTTLOverride(TTL.toMillis())
                        .setConnectionTtlCheckInterval(100));
        GroupNodes nodes = new GroupNodes.Remote(broker.access())) {
      WorkerId group = GroupNodes.makeGroups(broker.access(), 1).get(0);
      List<Integer> messages = IntStream.rangeClosed(1, MESSAGES).boxed().toList();
      GroupSession owner = attached(nodes, group);
      stage(owner, group, 1, messages);
      owner.commit();
      assertEquals(messages, owner.take(group));
      GroupSession heir = attached(nodes, group);
      owner.acknowledge(group, ENDED);

      long begun = System.nanoTime();
      nodes.hold(owner);
      stage(owner, group, 2, List.of(101));
      CompletableFuture<Void> committing = CompletableFuture.runAsync(owner::commit);
      assertFalse(heir.isWhole(group, BEFORE), "the broker keeps a silent session for a while");
      assertTrue(heir.isWhole(group, PATIENCE));
      long taken = System.nanoTime();
      assertEquals(SampleBatch.id(1), heir.log(group).lastBatch());
      assertEquals(messages, heir.take(group), "also those that are acknowledged, in their places");
      stage(heir, group, 2, List.of(102));
      heir.commit();

      nodes.release(owner);
      assertThrows(CompletionException.class, committing::join);
      assertEquals(List.of(102), heir.take(group));
      reporter.publishEntry("silence", "the log was whole after %s".formatted(since(begun, taken)));
    }
  }

  private static Duration since(long begun, long end) {
    return Duration.ofMillis((end - begun) / 1_000_000);
  }

  private static GroupSession attached(GroupNodes nodes, WorkerId group) {
    GroupSession session = nodes.open();
    session.attach(group);
    return session;
  }

  private static void stage(GroupSession session, WorkerId group, long number, List<Integer> sent) {
    Batch batch = new Batch(group, SampleBatch.id(number), BatchPages.of(List.of()));
    session.stage(batch, SampleBatch.id(number - 1), sent, /* fenced= */ true);
  }
}
