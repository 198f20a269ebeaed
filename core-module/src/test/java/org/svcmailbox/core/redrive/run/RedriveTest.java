package org.svcmailbox.core.redrive.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.redrive.run.RedriveWorld.ORDERS;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.InMemoryJobStore;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobError;
import org.svcmailbox.core.redrive.JobProgress;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.JobStoreContract;
import org.svcmailbox.core.redrive.PendingAction;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.redrive.action.LetterAction;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.test.concurrent.Deadline;

class RedriveTest {
  private static final TopicName ELSEWHERE = new TopicName("elsewhere");

  private RedriveWorld world = new RedriveWorld(Map.of());

  @AfterEach
  void end() {
    world.close();
  }

  private void with(Map<String, String> settings) {
    world.close();
    world = new RedriveWorld(settings);
  }

  private Job reprocess(LetterFilter filter) {
    return world.finish(world.start(JobAction.REDRIVE, filter, null).id());
  }

  private static LetterFilter word(String word) {
    return new LetterFilter(
        null, List.of(), null, null, null, null, null, Map.of(), List.of(word), null);
  }

  private static void counts(Job job, long total, long done, long failed, long gone) {
    JobProgress progress = job.progress();
    assertEquals(
        List.of(total, done, failed, gone),
        List.of(job.total(), progress.done(), progress.failed(), job.gone()));
    assertEquals(JobState.DONE, progress.state());
    assertEquals(PendingAction.NONE, progress.pending());
  }

  @Test
  void jobsGoOnBelowTheDiskReserve() {
    world.die(ORDERS, 3, "boom");
    world.disk.room(0, 4L << 30);
    Deadline.in(Duration.ofSeconds(10))
        .await(() -> world.mailbox().limits().disk().free() == 0, () -> "a look at the disk");
    Job job = world.finish(world.start(JobAction.REDRIVE, LetterFilter.ALL, ELSEWHERE).id());
    counts(job, 3, 3, 0, 0);
    assertEquals(3, world.receive(ELSEWHERE, 100).size());
  }

  @Test
  void lettersAreRedrivenAsTheOriginalMessages() {
    List<MsgId> died = world.die(ORDERS, 250, "boom");
    Job job = reprocess(LetterFilter.ALL);
    counts(job, 250, 250, 0, 0);
    assertEquals(Map.of(DeadLetterReason.MAX_ATTEMPTS, 250L), job.byReason());
    assertEquals(List.of(), world.broker.quarantined(ORDERS));
    assertEquals(Map.of(), world.index.segments());
    List<StoredMessage> back = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      back.addAll(world.receive(ORDERS, 100));
    }
    assertEquals(
        new HashSet<>(died),
        new HashSet<>(back.stream().map(message -> message.envelope().msgId()).toList()));
    assertEquals(250, back.size());
    for (StoredMessage message : back) {
      assertEquals(1, message.envelope().attempt());
      assertNull(message.lastError());
      assertEquals(1, message.history().redrives());
      assertEquals(
          List.of(MessageEvent.Kind.NACKED, MessageEvent.Kind.REDRIVEN),
          message.history().events().stream().map(MessageEvent::kind).toList());
    }
  }

  @Test
  void aLetterThatDiesAgainKeepsItsCount() {
    world.die(ORDERS, 1, "boom");
    for (int times = 1; times <= 3; times++) {
      reprocess(LetterFilter.ALL);
      MsgId id = world.receive(ORDERS, 1).get(0).envelope().msgId();
      world
          .mailbox()
          .settle(world.caller, new SettleRequest.Nack(id, null, "again", null))
          .toCompletableFuture()
          .join();
      world.index.add(world.letters.browse(ORDERS, 0));
      assertEquals(times, world.index.find(ORDERS, id).orElseThrow().redrives());
    }
  }

  @Test
  void aJobTellsHowManyOfItsLettersAreDeadAgain() {
    world.die(ORDERS, 3, "boom");
    JobId first = reprocess(LetterFilter.ALL).id();
    assertEquals(0, deadAgain(first));
    dieAgain(2);
    assertEquals(0, deadAgain(first), "counted less than two seconds ago");
    world.pass(Duration.ofSeconds(2));
    assertEquals(2, deadAgain(first));
    assertEquals(
        Map.of(DeadLetterReason.MAX_ATTEMPTS, 2L),
        world.index.count(ORDERS, back(first), LetterPosition.LAST));

    JobId second = reprocess(back(first)).id();
    dieAgain(1);
    world.pass(Duration.ofSeconds(2));
    assertEquals(0, deadAgain(first), "another job redrove them last");
    assertEquals(1, deadAgain(second));
    assertEquals(
        List.of(1L, 0L),
        world.redrive().jobs(world.caller, ORDERS, 10).stream()
            .map(RedriveService.Status::deadAgain)
            .toList());

    JobId elsewhere =
        world.finish(world.start(JobAction.REDRIVE, back(second), ELSEWHERE).id()).id();
    assertEquals(1, world.receive(ELSEWHERE, 1).size());
    assertEquals(0, deadAgain(elsewhere));
    JobId discard = world.finish(world.start(JobAction.DISCARD, LetterFilter.ALL, null).id()).id();
    assertNull(world.redrive().job(world.caller, discard).deadAgain());
  }

  private static LetterFilter back(JobId job) {
    return new LetterFilter(
        null, List.of(), null, null, null, null, null, Map.of(), List.of(), job);
  }

  private void dieAgain(int messages) {
    for (StoredMessage message : world.receive(ORDERS, messages)) {
      MsgId id = message.envelope().msgId();
      world
          .mailbox()
          .settle(world.caller, new SettleRequest.Nack(id, null, "again", null))
          .toCompletableFuture()
          .join();
    }
    world.index.add(world.letters.browse(ORDERS, 0));
  }

  private long deadAgain(JobId job) {
    Long letters = world.redrive().job(world.caller, job).deadAgain();
    return letters == null ? -1 : letters;
  }

  @Test
  void aJobTouchesOnlyMatchingLettersThatWereDeadAtItsStart() {
    world.die(ORDERS, 30, "boom");
    world.die(ORDERS, 20, "other");
    Job job = world.start(JobAction.DISCARD, word("boom"), null);
    world.die(ORDERS, 10, "boom");
    counts(world.finish(job.id()), 30, 30, 0, 0);
    assertEquals(30, world.broker.quarantined(ORDERS).size());
    assertEquals(List.of(), world.receive(ORDERS, 100));
  }

  private Job startWithFirst(
      JobAction action, int rate, @Nullable Integer first, LetterFilter filter) {
    return world
        .redrive()
        .start(
            world.caller,
            new RedriveService.JobRequest(
                ORDERS, action, filter, null, rate, first, null, null, "a note"))
        .job();
  }

  private Job stepUntilIdle(JobId id) {
    for (int i = 0; i < 50; i++) {
      world.pass(Duration.ofSeconds(2));
      world.step();
    }
    return world.redrive().job(world.caller, id).job();
  }

  @Test
  void aJobPausesAfterItsFirstLettersAndThenMovesTheRest() {
    world.die(ORDERS, 30, "boom");
    JobId id = startWithFirst(JobAction.REDRIVE, 1_000, 3, LetterFilter.ALL).id();
    Job held = stepUntilIdle(id);
    assertEquals(JobState.PAUSED, held.progress().state());
    assertTrue(held.isHeld());
    assertEquals(List.of(3L, 27L), List.of(held.progress().done(), held.left()));
    assertEquals(27, world.broker.quarantined(ORDERS).size());
    assertTrue(
        world
            .store
            .audit()
            .toString()
            .contains("after its first 3; paused: 3 of 30 done, 0 failed"),
        world.store.audit()::toString);

    world.crash();
    Job same = stepUntilIdle(id);
    assertEquals(JobState.PAUSED, same.progress().state());
    assertEquals(3, same.progress().done());

    Job resumed = world.redrive().resume(world.caller, id).job();
    assertFalse(resumed.isHeld());
    counts(world.finish(id), 30, 30, 0, 0);
  }

  @Test
  void aJobWithoutMoreLettersEndsInsteadOfPausing() {
    world.die(ORDERS, 3, "boom");
    JobId id = startWithFirst(JobAction.REDRIVE, 1_000, 3, LetterFilter.ALL).id();
    counts(stepUntilIdle(id), 3, 3, 0, 0);
  }

  @Test
  void aJobThatWasPausedEarlierStillStopsAfterItsFirst() {
    world.die(ORDERS, 10, "boom");
    JobId id = startWithFirst(JobAction.REDRIVE, 5, 3, LetterFilter.ALL).id();
    world.step();
    world.redrive().pause(world.caller, id);
    world.redrive().resume(world.caller, id);
    Job held = stepUntilIdle(id);
    assertEquals(JobState.PAUSED, held.progress().state());
    assertEquals(3, held.progress().done());
  }

  @Test
  void theRateOfAJobChangesWhileItRuns() {
    world.die(ORDERS, 100, "boom");
    JobId id = startWithFirst(JobAction.REDRIVE, 1, null, LetterFilter.ALL).id();
    world.step();
    long before = world.redrive().job(world.caller, id).job().progress().done();
    assertEquals(1, before);
    Job changed = world.redrive().rate(world.caller, id, 1_000).job();
    assertEquals(1_000, changed.spec().rate());
    assertTrue(
        world.store.audit().toString().contains("1 to 1000 letters per second"),
        world.store.audit()::toString);
    world.crash();
    assertEquals(1_000, world.redrive().job(world.caller, id).job().spec().rate());
    world.pass(Duration.ofSeconds(1));
    world.step();
    world.pass(Duration.ofSeconds(1));
    world.step();
    counts(stepUntilIdle(id), 100, 100, 0, 0);
    assertEquals(1_000, world.redrive().rate(world.caller, id, 7).job().spec().rate());
    assertThrows(
        NotFoundException.class,
        () -> world.redrive().rate(world.caller, new JobId("j" + "0".repeat(16)), 7));
  }

  @Test
  void aJobKeepsItsErrorTextsAndTheNameOfItsStarter() {
    world.caller = new SampleCallers().caller(7);
    List<MsgId> died = new ArrayList<>(world.die(ORDERS, 1, "timed out after 30 ms"));
    died.addAll(world.die(ORDERS, 2, "HTTP 503"));
    died.addAll(world.die(ORDERS, 1, ""));
    Job all = world.start(JobAction.REDRIVE, LetterFilter.ALL, null);
    assertEquals(List.of("HTTP 503", "timed out after # ms"), all.patterns());
    assertEquals("caller 7", all.startedBy().name());
    RedriveService.JobRequest first =
        new RedriveService.JobRequest(
            ORDERS, JobAction.DISCARD, null, died.subList(0, 1), 10, null, null, null, "one");
    Job chosen = world.redrive().start(world.caller, first).job();
    assertEquals(List.of("timed out after # ms"), chosen.patterns());
    world.crash();
    assertEquals(
        List.of("HTTP 503", "timed out after # ms"),
        world.redrive().job(world.caller, all.id()).job().patterns());
    world.finish(all.id());
    String history = world.receive(ORDERS, 1).get(0).history().lastRedrive();
    assertTrue(history.contains("started by caller 7 (sample:"), history);
  }

  @Test
  void aJobOverGroupsOfAnEarlierVersionFails() {
    world.die(ORDERS, 3, "boom");
    LetterFilter earlier = LetterFilter.ALL.with(new Fingerprint(Fingerprint.LOWEST - 1));
    JobProgress end = world.finish(world.start(JobAction.DISCARD, earlier, null).id()).progress();
    assertEquals(JobState.FAILED, end.state());
    assertEquals(
        "an update changed the fingerprints of error groups; start a new job", end.ending());
    assertEquals(3, world.broker.quarantined(ORDERS).size());
  }

  @Test
  void lettersCanBeNamed() {
    List<MsgId> died = world.die(ORDERS, 20, "boom");
    List<MsgId> named = new ArrayList<>(died.subList(3, 9));
    named.add(new MsgId(1, 2));
    named.add(died.get(3));
    Job job =
        world
            .redrive()
            .start(
                world.caller,
                new RedriveService.JobRequest(
                    ORDERS, JobAction.REDRIVE, null, named, 10, null, null, null, "these"))
            .job();
    counts(world.finish(job.id()), 6, 6, 0, 0);
    assertEquals(
        Set.copyOf(died.subList(3, 9)),
        Set.copyOf(
            world.receive(ORDERS, 100).stream()
                .map(message -> message.envelope().msgId())
                .toList()));
  }

  @Test
  void aDryRunCountsAndChangesNothing() {
    world.die(ORDERS, 5, "boom");
    RedriveService.JobRequest wanted =
        new RedriveService.JobRequest(
            ORDERS, JobAction.DISCARD, LetterFilter.ALL, null, null, null, null, null, "");
    assertEquals(
        Map.of(DeadLetterReason.MAX_ATTEMPTS, 5L), world.redrive().dryRun(world.caller, wanted));
    world.redrive().step();
    assertEquals(5, world.broker.quarantined(ORDERS).size());
    assertEquals(List.of(), world.store.list(null, 10));
    assertEquals(List.of(), world.store.audit());
  }

  @Test
  void aDryRunMakesNoTargetAndRefusesWhatTheJobWould() {
    world.die(ORDERS, 1, "boom");
    assertEquals(Map.of(DeadLetterReason.MAX_ATTEMPTS, 1L), dryRun(ELSEWHERE));
    assertEquals(Optional.empty(), world.mailbox().directory().find(ELSEWHERE));
    with(Map.of("mailbox.topics.auto_create", "false"));
    world.put(ORDERS, TopicOverrides.NONE);
    assertEquals(Map.of(), dryRun(ORDERS));
    assertThrows(NotFoundException.class, () -> dryRun(ELSEWHERE));
    assertThrows(NotFoundException.class, () -> started(world.caller, ELSEWHERE));
  }

  private Map<DeadLetterReason, Long> dryRun(TopicName to) {
    return world
        .redrive()
        .dryRun(
            world.caller,
            new RedriveService.JobRequest(
                ORDERS, JobAction.REDRIVE, LetterFilter.ALL, null, null, null, to, null, ""));
  }

  @Test
  void theRateIsKept() {
    world.die(ORDERS, 50, "boom");
    RedriveService.JobRequest wanted =
        new RedriveService.JobRequest(
            ORDERS, JobAction.DISCARD, LetterFilter.ALL, null, 10, null, null, null, "slowly");
    JobId id = world.redrive().start(world.caller, wanted).job().id();
    for (int tenths = 0; tenths < 20; tenths++) {
      world.redrive().step();
      world.pass(Duration.ofMillis(100));
    }
    long done = world.redrive().job(world.caller, id).job().progress().done();
    assertTrue(done >= 18 && done <= 22, "in two seconds: " + done);
    counts(world.finish(id), 50, 50, 0, 0);
  }

  @Test
  void aJobIsPausedResumedAndCancelled() {
    world.die(ORDERS, 300, "boom");
    JobId id = world.start(JobAction.DISCARD, LetterFilter.ALL, null).id();
    world.redrive().step();
    assertEquals(JobState.PAUSED, state(world.redrive().pause(world.caller, id)));
    for (int i = 0; i < 5; i++) {
      world.pass(Duration.ofSeconds(20));
      world.redrive().step();
    }
    assertEquals(200, world.broker.quarantined(ORDERS).size());
    world.crash();
    world.redrive().step();
    assertEquals(200, world.broker.quarantined(ORDERS).size(), "paused after a crash, too");
    assertEquals(JobState.RUNNING, state(world.redrive().resume(world.caller, id)));
    world.redrive().step();
    assertEquals(100, world.broker.quarantined(ORDERS).size());
    assertEquals(JobState.CANCELLED, state(world.redrive().cancel(world.caller, id)));
    world.pass(Duration.ofSeconds(20));
    world.redrive().step();
    assertEquals(100, world.broker.quarantined(ORDERS).size());
    assertEquals(JobState.CANCELLED, state(world.redrive().resume(world.caller, id)));
    Job job = world.redrive().job(world.caller, id).job();
    assertEquals(200, job.progress().done());
    assertNotNull(job.progress().finishedAt());
    assertEquals(
        List.of("dlq.job.start", "dlq.job.pause", "dlq.job.resume", "dlq.job.cancel"),
        world.store.audit().stream().map(AuditEntry::action).toList());
  }

  private JobId stepped(JobAction action) {
    world.die(ORDERS, 300, "boom");
    JobId id = world.start(action, LetterFilter.ALL, null).id();
    world.redrive().step();
    assertEquals(200, world.broker.quarantined(ORDERS).size());
    return id;
  }

  private void assertPausedByTheService(JobId id) {
    for (int i = 0; i < 5; i++) {
      world.pass(Duration.ofSeconds(20));
      world.redrive().step();
      long unused = world.redrive().tidy();
    }
    assertEquals(200, world.broker.quarantined(ORDERS).size());
    RedriveService.Status status = world.redrive().job(world.caller, id);
    assertEquals(JobState.PAUSED, state(status));
    assertTrue(requireNonNull(status.waitingFor()).contains("fell back"), status.waitingFor());
    assertEquals(List.of(status), world.redrive().jobs(world.caller, ORDERS, 10));
    AuditEntry last = world.store.audit().get(world.store.audit().size() - 1);
    assertEquals(List.of("dlq.job.pause", "service"), List.of(last.action(), last.actor().id()));
  }

  @ParameterizedTest
  @EnumSource(JobAction.class)
  void aJobThatWasOverWhenTheDatabaseFellBackIsPaused(JobAction action) {
    JobId id = stepped(action);
    InMemoryJobStore older = world.store.copy();
    world.redrive().cancel(world.caller, id);
    world.store.replaceBy(older);
    assertPausedByTheService(id);
    assertEquals(JobState.RUNNING, state(world.redrive().resume(world.caller, id)));
    world.redrive().step();
    assertEquals(100, world.broker.quarantined(ORDERS).size());
  }

  @Test
  void aJobThatWasOverWhenTheDatabaseFellBackCanBeCancelledAtOnce() {
    JobId id = stepped(JobAction.DISCARD);
    InMemoryJobStore older = world.store.copy();
    world.redrive().cancel(world.caller, id);
    world.store.replaceBy(older);
    assertEquals(JobState.CANCELLED, state(world.redrive().cancel(world.caller, id)));
    assertEquals(List.of(), world.store.unfinished());
  }

  @ParameterizedTest
  @EnumSource(
      value = JobState.class,
      names = {"PAUSED", "CANCELLED"})
  void aDiscardThatWasStoppedDoesNotGoOnWithAnOlderDatabase(JobState stopped) {
    JobId id = stepped(JobAction.DISCARD);
    InMemoryJobStore older = world.store.copy();
    if (stopped == JobState.PAUSED) {
      world.redrive().pause(world.caller, id);
    } else {
      world.redrive().cancel(world.caller, id);
    }
    world.store.replaceBy(older);
    world.crash();
    assertPausedByTheService(id);
    world.crash();
    assertPausedByTheService(id);
    assertEquals(JobState.CANCELLED, state(world.redrive().cancel(world.caller, id)));
    assertEquals(Set.of(), world.permits.all());
  }

  @Test
  void aDiscardGoesOnAfterACrash() {
    JobId id = stepped(JobAction.DISCARD);
    world.redrive().pause(world.caller, id);
    world.redrive().resume(world.caller, id);
    world.crash();
    counts(world.finish(id), 300, 300, 0, 0);
    assertEquals(Set.of(), world.permits.all());
  }

  /** The permit is the first to go: the call may be repeated, and the job does not go on. */
  @Test
  void aDiscardIsNotCancelledWithoutTheBroker() {
    JobId id = stepped(JobAction.DISCARD);
    world.permits.down(true);
    assertThrows(UnavailableException.class, () -> world.redrive().cancel(world.caller, id));
    world.permits.down(false);
    world.store.down(true);
    assertThrows(UnavailableException.class, () -> world.redrive().cancel(world.caller, id));
    world.store.down(false);
    world.crash();
    assertPausedByTheService(id);
  }

  /** The database fell back behind its start. */
  @Test
  void aRunningJobThatTheStoreLostGoesOn() {
    InMemoryJobStore older = world.store.copy();
    JobId id = stepped(JobAction.DISCARD);
    world.store.replaceBy(older);
    counts(world.finish(id), 300, 300, 0, 0);
    assertEquals(JobState.DONE, world.store.find(id).orElseThrow().progress().state());
  }

  @Test
  void permitsOfJobsThatThereAreNotGo() {
    JobId id = stepped(JobAction.DISCARD);
    world.permits.grant(new JobId("j0123456789abcdef"));
    world.crash();
    assertEquals(Set.of(id), world.permits.all());
  }

  private static JobState state(RedriveService.Status status) {
    return status.job().progress().state();
  }

  @Test
  void thereAreOnlySoManyJobs() {
    with(Map.of("mailbox.dlq.max_jobs", "2", "mailbox.fair_share", "100"));
    world.die(ORDERS, 3, "boom");
    JobId first = world.start(JobAction.DISCARD, word("nothing"), null).id();
    JobId second = world.start(JobAction.DISCARD, word("nothing"), null).id();
    assertThrows(
        SaturatedException.class, () -> world.start(JobAction.DISCARD, LetterFilter.ALL, null));
    assertEquals(2, world.store.list(null, 10).size());
    world.redrive().cancel(world.caller, second);
    second = world.start(JobAction.DISCARD, word("nothing"), null).id();
    world.redrive().pause(world.caller, second);
    world.finish(first);
    JobId third = world.start(JobAction.DISCARD, LetterFilter.ALL, null).id();
    counts(world.finish(third), 3, 3, 0, 0);
  }

  @Test
  void aPausedJobBlocksNobodyAndGoesOnWhenThereIsRoom() {
    with(Map.of("mailbox.dlq.max_jobs", "1"));
    world.die(ORDERS, 3, "boom");
    JobId paused = world.start(JobAction.DISCARD, word("nothing"), null).id();
    world.redrive().pause(world.caller, paused);
    JobId running = world.start(JobAction.DISCARD, LetterFilter.ALL, null).id();
    SaturatedException full =
        assertThrows(SaturatedException.class, () -> world.redrive().resume(world.caller, paused));
    assertEquals("dlq_jobs", full.reason());
    assertEquals(JobState.PAUSED, state(world.redrive().job(world.caller, paused)));
    assertEquals(JobState.RUNNING, state(world.redrive().resume(world.caller, running)));
    world.finish(running);
    assertEquals(JobState.RUNNING, state(world.redrive().resume(world.caller, paused)));
    assertEquals(JobState.DONE, world.finish(paused).progress().state());
  }

  @Test
  void oneTopicLeavesAJobForTheOthers() {
    with(Map.of("mailbox.dlq.max_jobs", "4"));
    world.die(ORDERS, 1, "boom");
    world.put(ELSEWHERE, TopicOverrides.NONE);
    for (int i = 0; i < 3; i++) {
      JobId unused = world.start(JobAction.DISCARD, word("nothing"), null).id();
    }
    SaturatedException full =
        assertThrows(
            SaturatedException.class, () -> world.start(JobAction.DISCARD, word("nothing"), null));
    assertEquals("3 of 4 jobs run, 3 of them of this topic", full.getMessage());
    JobId unused = world.start(ELSEWHERE, JobAction.DISCARD, word("nothing"), null).id();
  }

  @Test
  void pausedJobsHaveABoundToo() {
    with(Map.of("mailbox.dlq.max_jobs", "4"));
    world.die(ORDERS, 1, "boom");
    int most = JobSchedule.MOST_UNFINISHED * 3 / 4;
    for (int i = 0; i < most; i++) {
      JobId each = world.start(JobAction.DISCARD, word("nothing"), null).id();
      world.redrive().pause(world.caller, each);
    }
    SaturatedException full =
        assertThrows(
            SaturatedException.class, () -> world.start(JobAction.DISCARD, word("nothing"), null));
    assertEquals("dlq_jobs_unfinished", full.reason());
  }

  @Test
  void aJobWhoseMakerHadNoAnswerGoesOnAndARepeatMovesNothingTwice() {
    List<MsgId> died = world.die(ORDERS, 3, "boom");
    world.store.loseNextAnswer();
    assertThrows(
        UnavailableException.class, () -> world.start(JobAction.REDRIVE, LetterFilter.ALL, null));
    JobId first = world.store.list(null, 1).get(0).id();
    counts(reprocess(LetterFilter.ALL), 3, 3, 0, 0);

    world.redrive().tidy();

    counts(world.finish(first), 3, 0, 0, 3);
    assertEquals(died.size(), world.receive(ORDERS, 100).size());
    world.redrive().tidy();
    assertEquals(2, world.store.list(null, 10).size());
  }

  @Test
  void aLetterThatIsResentTwiceLeavesOnce() {
    MsgId letter = world.die(ORDERS, 1, "boom").get(0);
    RedriveService.Resend resend =
        new RedriveService.Resend(ORDERS, letter, null, null, ELSEWHERE, null, null, "a note");
    world.broker.failNextCommit(CommitFault.AFTER);
    assertInstanceOf(Refusal.class, world.redrive().resend(world.caller, resend));
    assertThrows(NotFoundException.class, () -> world.redrive().resend(world.caller, resend));
    Deadline.in(Duration.ofSeconds(10)).await(world.mailbox()::isHealthy, () -> "no session");
    assertEquals(1, world.receive(ELSEWHERE, 10).size());
  }

  @Test
  void anUnreadableLetterFailsAndCanBeDiscarded() {
    world.put(ORDERS, TopicOverrides.NONE);
    world.broker.plantUnreadable(new ShardId(ORDERS, 0));
    world.die(ORDERS, 3, "boom");
    assertEquals(4, world.broker.quarantined(ORDERS).size());
    Job job = reprocess(LetterFilter.ALL);
    counts(job, 4, 3, 1, 0);
    assertEquals(
        List.of(LetterAction.UNREADABLE),
        job.progress().errors().stream().map(JobError::detail).toList());
    assertEquals(1, world.broker.quarantined(ORDERS).size());
    counts(world.finish(world.start(JobAction.DISCARD, LetterFilter.ALL, null).id()), 1, 1, 0, 0);
    assertEquals(List.of(), world.broker.quarantined(ORDERS));
  }

  @Test
  void lettersGoToAnotherTopicAsNewMessages() {
    List<MsgId> died = world.die(ORDERS, 40, "boom");
    Job job = world.finish(world.start(JobAction.REDRIVE, LetterFilter.ALL, ELSEWHERE).id());
    counts(job, 40, 40, 0, 0);
    List<StoredMessage> there = world.receive(ELSEWHERE, 100);
    assertEquals(40, there.size());
    for (StoredMessage message : there) {
      assertEquals(ELSEWHERE, message.envelope().topic());
      assertTrue(message.envelope().seq() > 0, "it is in the ledger of its topic");
      assertEquals(1, message.history().redrives());
      String note = message.history().events().get(1).note();
      assertTrue(died.stream().anyMatch(id -> note.endsWith("from orders, message " + id)), note);
    }
    assertEquals(List.of(), world.broker.quarantined(ORDERS));
    assertEquals(Map.of(), world.index.segments());
  }

  @Test
  void lettersThatLeftAsTheirWorkerFailedAreCountedAsDone() {
    world.die(ORDERS, 3, "boom");
    world.broker.failNextCommit(CommitFault.AFTER);
    Job job = world.finish(world.start(JobAction.REDRIVE, LetterFilter.ALL, ELSEWHERE).id());
    counts(job, 3, 3, 0, 0);
    assertEquals(3, world.receive(ELSEWHERE, 100).size());
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, false", "true, true", "false, true"})
  void lettersOfALateTransactionAreCountedOnceItHasEnded(boolean takesEffect, boolean crashes) {
    world.die(ORDERS, 3, "boom");
    world.letters.failNext(InMemoryLetters.Fault.LATE);
    JobId id = world.start(JobAction.REDRIVE, LetterFilter.ALL, null).id();
    world.step();
    if (crashes) {
      world.crash();
    }
    for (int seconds = 0; seconds < 60; seconds++) {
      world.pass(Duration.ofSeconds(1));
      world.step();
    }
    RedriveService.Status waiting = world.redrive().job(world.caller, id);
    assertEquals(0, waiting.job().progress().done());
    assertEquals("a transaction that holds letters is open", waiting.waitingFor());

    world.letters.endLate(takesEffect);
    counts(world.finish(id), 3, 3, 0, 0);
    assertEquals(3, world.broker.everything().size());
    assertEquals(List.of(), world.broker.quarantined(ORDERS));
  }

  @Test
  void aLetterWhoseKeyIsTakenThereStays() {
    world.die(ORDERS, 5, "boom");
    world.send(ELSEWHERE, "boom-2");
    Job job = world.finish(world.start(JobAction.REDRIVE, LetterFilter.ALL, ELSEWHERE).id());
    counts(job, 5, 4, 1, 0);
    assertEquals(1, world.broker.quarantined(ORDERS).size());
    assertTrue(job.progress().errors().get(0).detail().contains("key is still taken"));
  }

  @Test
  void aJobWaitsWhileTheTopicIsFull() {
    with(Map.of("mailbox.retention.ready_count", "5"));
    world.die(ORDERS, 5, "boom");
    world.send(ORDERS, "in the way");
    JobId id = world.start(JobAction.REDRIVE, LetterFilter.ALL, null).id();
    for (int i = 0; i < 3; i++) {
      world.redrive().step();
      world.pass(Duration.ofSeconds(1));
    }
    RedriveService.Status waiting = world.redrive().job(world.caller, id);
    assertTrue(String.valueOf(waiting.waitingFor()).contains("retention_ready_count"));
    assertEquals(5, world.broker.quarantined(ORDERS).size());
    MsgId inTheWay = world.receive(ORDERS, 1).get(0).envelope().msgId();
    world
        .mailbox()
        .settle(world.caller, new SettleRequest.Ack(inTheWay, null))
        .toCompletableFuture()
        .join();
    counts(world.finish(id), 5, 5, 0, 0);
    assertEquals(5, world.receive(ORDERS, 10).size());
  }

  @Test
  void lettersOfAClosedShardBecomeNewMessages() {
    with(Map.of("mailbox.ready_shards", "4"));
    List<MsgId> died = world.die(ORDERS, 40, "boom");
    world.put(ORDERS, TopicOverrides.NONE.withReadyShards(1));
    int atHome = 0;
    for (var letter :
        world.index.ahead(
            ORDERS, LetterFilter.ALL, LetterPosition.FIRST, LetterPosition.LAST, 100)) {
      atHome += letter.envelope() != null && letter.envelope().shard() == 0 ? 1 : 0;
    }
    assertTrue(atHome > 0 && atHome < 40, "at home: " + atHome);
    counts(reprocess(LetterFilter.ALL), 40, 40, 0, 0);
    Map<String, MsgId> back = byKey(world.receive(ORDERS, 100));
    assertEquals(40, back.size());
    assertEquals(atHome, back.values().stream().filter(died::contains).count(), "as they were");
    back.forEach(
        (key, id) -> assertEquals(new SendOutcome.Accepted(id, true), world.repeat(ORDERS, key)));
  }

  private static Map<String, MsgId> byKey(List<StoredMessage> messages) {
    return messages.stream()
        .map(StoredMessage::envelope)
        .collect(Collectors.toMap(envelope -> envelope.idemKey().value(), Envelope::msgId));
  }

  @Test
  void lettersGoToTheirOwnTopicAsNewMessagesWithTheirKeys() {
    List<MsgId> died = world.die(ORDERS, 3, "boom");
    for (int times = 1; times <= 3; times++) {
      counts(
          world.finish(world.start(JobAction.REDRIVE, LetterFilter.ALL, ORDERS).id()), 3, 3, 0, 0);
      Map<String, MsgId> back = byKey(world.receive(ORDERS, 100));
      assertEquals(Set.of("boom-0", "boom-1", "boom-2"), back.keySet());
      assertTrue(Collections.disjoint(back.values(), died), "new messages");
      back.forEach(
          (key, id) -> assertEquals(new SendOutcome.Accepted(id, true), world.repeat(ORDERS, key)));
      world.nack(back.values());
      died = List.copyOf(back.values());
    }
    assertEquals(3, world.mailbox().registry().countKeys());
  }

  @ParameterizedTest
  @CsvSource({"BEFORE, false", "AFTER, true", "LATE, false", "LATE, true"})
  void aKeyIsTheMessagesOrTheLettersWhateverBecomesOfTheCommit(CommitFault fault, boolean commits) {
    MsgId died = world.die(ORDERS, 1, "boom").get(0);
    world.broker.failNextCommit(fault);
    JobId id = world.start(JobAction.REDRIVE, LetterFilter.ALL, ORDERS).id();
    world.step();
    if (world.broker.hasLateCommit()) {
      assertInstanceOf(Refusal.class, world.sent(ORDERS, "boom-0"), "nobody knows whose it is");
      world.broker.endLateCommit(commits);
    }
    SendOutcome.Accepted between = (SendOutcome.Accepted) world.repeat(ORDERS, "boom-0");
    assertTrue(between.duplicate());
    assertEquals(commits, !between.msgId().equals(died));
    counts(world.finish(id), 1, 1, 0, 0);
    MsgId back = world.receive(ORDERS, 100).get(0).envelope().msgId();
    assertEquals(commits, back.equals(between.msgId()));
    assertEquals(new SendOutcome.Accepted(back, true), world.repeat(ORDERS, "boom-0"));
    assertEquals(1, world.mailbox().registry().countKeys());
  }

  @Test
  void aKeyThatAnotherMessageHasStaysWithIt() {
    MsgId letter = world.die(ORDERS, 1, "boom").get(0);
    MsgId other = world.send(ORDERS, "other");
    assertEquals(
        new SendOutcome.KeyConflict(other),
        resent(world.caller, letter, "better", new IdemKey("other")));
    assertEquals(1, world.broker.quarantined(ORDERS).size());
  }

  @Test
  void aLetterIsResentWithItsOwnKey() {
    MsgId letter = world.die(ORDERS, 1, "boom").get(0);
    IdemKey own = new IdemKey("boom-0");
    SendOutcome.Accepted sent =
        assertInstanceOf(SendOutcome.Accepted.class, resent(world.caller, letter, "better", own));
    assertFalse(sent.duplicate());
    assertEquals(new SendOutcome.KeyConflict(sent.msgId()), world.repeat(ORDERS, "boom-0"));
    assertEquals(List.of(), world.broker.quarantined(ORDERS));
    assertEquals(1, world.mailbox().registry().countKeys());
  }

  @Test
  void lettersThatOthersDealtWithAreGone() {
    world.die(ORDERS, 10, "boom");
    Job job = world.start(JobAction.REDRIVE, LetterFilter.ALL, null);
    world.broker.removeDeadLetters(ORDERS, 4);
    counts(world.finish(job.id()), 10, 6, 0, 4);
    assertEquals(Map.of(), world.index.segments());
  }

  @Test
  void twoJobsOverTheSameLettersMoveEachOnce() {
    world.die(ORDERS, 350, "boom");
    JobId first = world.start(JobAction.REDRIVE, LetterFilter.ALL, null).id();
    JobId second = world.start(JobAction.REDRIVE, LetterFilter.ALL, null).id();
    Job one = world.finish(first);
    Job other = world.finish(second);
    assertEquals(350, one.progress().done() + other.progress().done());
    assertTrue(one.progress().done() > 0 && other.progress().done() > 0, "both had some");
    assertEquals(350, world.broker.everything().size());
  }

  @Test
  void aTopicThatIsDeletedEndsItsJobs() {
    world.die(ORDERS, 10, "boom");
    JobId id = world.start(JobAction.REDRIVE, LetterFilter.ALL, null).id();
    world.mailbox().topicAdmin().delete(world.caller, ORDERS);
    Job job = world.finish(id);
    assertEquals(JobState.FAILED, job.progress().state());
    assertEquals("the topic is gone", job.progress().ending());
  }

  @Test
  void theStartAndTheEndAreInTheAudit() {
    world.die(ORDERS, 3, "boom");
    Job job = world.start(JobAction.DISCARD, word("boom"), null);
    world.finish(job.id());
    List<AuditEntry> audit = world.store.audit();
    assertEquals(2, audit.size());
    assertEquals("dlq.job.start", audit.get(0).action());
    assertEquals(job.id().value(), audit.get(0).subject());
    assertEquals(job.startedBy(), audit.get(0).actor());
    assertEquals(
        "discard topic=orders filter=q=boom letters=3 max_attempts=3 rate=10000; a note",
        audit.get(0).note());
    assertEquals("dlq.job.end", audit.get(1).action());
    assertEquals("done: 3 of 3 done, 0 failed, 0 gone", audit.get(1).note());
  }

  @Test
  void onlyWhoMayLooksAndOnlyWhoMayActs() {
    world.die(ORDERS, 3, "boom");
    SampleCallers people = new SampleCallers();
    Caller viewer = people.caller(1, "topic = orders", "ops = dlq.view");
    Caller elsewhere = people.caller(2, "topic = elsewhere", "ops = dlq");
    Caller here = people.caller(3, "topic = orders", "ops = dlq");
    JobId id = world.start(JobAction.DISCARD, LetterFilter.ALL, null).id();
    assertEquals(id, world.redrive().job(viewer, id).job().id());
    assertEquals(1, world.redrive().jobs(viewer, ORDERS, 10).size());
    for (Caller denied : List.of(viewer, elsewhere)) {
      assertThrows(DeniedException.class, () -> world.redrive().pause(denied, id));
      assertThrows(DeniedException.class, () -> world.redrive().resume(denied, id));
      assertThrows(DeniedException.class, () -> world.redrive().cancel(denied, id));
      assertThrows(DeniedException.class, () -> started(denied, null));
      assertThrows(DeniedException.class, () -> resent(denied, new MsgId(1, 2), null, null));
    }
    assertThrows(DeniedException.class, () -> world.redrive().job(elsewhere, id));
    assertThrows(DeniedException.class, () -> world.redrive().jobs(viewer, null, 10));
    assertThrows(DeniedException.class, () -> started(here, ELSEWHERE));
    assertThrows(DeniedException.class, () -> resent(here, new MsgId(1, 2), null, null));
    world.redrive().cancel(here, id);
  }

  private RedriveService.Status started(Caller caller, @Nullable TopicName to) {
    return world
        .redrive()
        .start(
            caller,
            new RedriveService.JobRequest(
                ORDERS, JobAction.REDRIVE, LetterFilter.ALL, null, null, null, to, null, "a note"));
  }

  private SendOutcome resent(
      Caller caller, MsgId id, @Nullable String payload, @Nullable IdemKey key) {
    return world
        .redrive()
        .resend(
            caller,
            new RedriveService.Resend(
                ORDERS,
                id,
                payload == null ? null : Payload.owning(payload.getBytes(UTF_8)),
                null,
                null,
                key,
                null,
                "mended"));
  }

  @Test
  void aResendTakesAKeyThatTheCapabilityAllows() {
    MsgId id = world.die(ORDERS, 1, "boom").get(0);
    Caller shop = new SampleCallers().caller(7, "idem_prefix = shop:");
    for (IdemKey key : new IdemKey[] {null, new IdemKey("other:17")}) {
      DeniedException denied =
          assertThrows(DeniedException.class, () -> resent(shop, id, "better", key));
      assertEquals("idem_key", denied.reason());
    }
    assertInstanceOf(
        SendOutcome.Accepted.class, resent(shop, id, "better", new IdemKey("shop:17")));
  }

  @Test
  void anEditedLetterIsANewMessageThatNamesIt() {
    MsgId id = world.die(ORDERS, 2, "boom").get(1);
    SendOutcome outcome = resent(world.caller, id, "better", null);
    MsgId made = assertInstanceOf(SendOutcome.Accepted.class, outcome).msgId();
    StoredMessage message = world.receive(ORDERS, 10).get(0);
    assertEquals(made, message.envelope().msgId());
    assertEquals(
        new Attributes(Map.of("key", "boom-1", "mailbox.resent_from", id.toString())),
        message.envelope().attrs());
    assertEquals("better", new String(message.payload().bytes(), UTF_8));
    assertEquals(new IdemKey("resend-" + id), message.envelope().idemKey());
    assertEquals(1, message.history().redrives());
    assertEquals(1, world.broker.quarantined(ORDERS).size());
    assertEquals("dlq.resend", world.audit.get(world.audit.size() - 1).action());
    assertThrows(NotFoundException.class, () -> resent(world.caller, id, "better", null));
  }

  @Test
  void aLetterIsResentWithAsManyAttributesAsASenderMayGive() {
    List<MsgId> died = world.die(ORDERS, 2, "boom");
    Map<String, String> most = new HashMap<>();
    for (int i = 0; i < Attributes.MAX_COUNT; i++) {
      most.put("a" + i, "v" + i);
    }
    assertEquals(new Attributes(most), resentWith(died.get(0), most), "no room for the link");
    most.put("a0", "changed");
    most.remove("a1");
    most.put("mailbox.resent_from", "an earlier one");
    Map<String, String> linked = new HashMap<>(most);
    linked.put("mailbox.resent_from", died.get(1).toString());
    assertEquals(new Attributes(linked), resentWith(died.get(1), most));
  }

  private Attributes resentWith(MsgId letter, Map<String, String> attrs) {
    SendOutcome sent =
        world
            .redrive()
            .resend(
                world.caller,
                new RedriveService.Resend(
                    ORDERS, letter, null, new Attributes(attrs), null, null, null, "a note"));
    assertFalse(assertInstanceOf(SendOutcome.Accepted.class, sent).duplicate());
    StoredMessage message = world.receive(ORDERS, 1).get(0);
    String note = message.history().events().get(1).note();
    assertTrue(note.endsWith("message " + letter), note);
    return message.envelope().attrs();
  }

  @ParameterizedTest
  @CsvSource({", ", ", orders", ", elsewhere", "90061, ", "90061, orders", "90061, elsewhere"})
  void redrivenMessagesHaveTheirOwnTimeToLiveOrTheJobs(@Nullable Long ttlMs, @Nullable String to) {
    Duration own = Duration.ofSeconds(77);
    world.die(ORDERS, 2, "boom", own);
    world.die(ORDERS, 1, "plain");
    Duration ttl = ttlMs == null ? null : Duration.ofMillis(ttlMs);
    TopicName target = to == null ? null : new TopicName(to);
    Job job =
        world
            .redrive()
            .start(
                world.caller,
                new RedriveService.JobRequest(
                    ORDERS,
                    JobAction.REDRIVE,
                    LetterFilter.ALL,
                    null,
                    null,
                    null,
                    target,
                    ttl,
                    "n"))
            .job();
    assertEquals(ttl, job.spec().ttl());
    Instant before = Instant.now();
    counts(world.finish(job.id()), 3, 3, 0, 0);
    Duration took = Duration.between(before, Instant.now());
    for (StoredMessage message : world.receive(target == null ? ORDERS : target, 10)) {
      boolean isPlain = message.envelope().idemKey().value().startsWith("plain");
      Duration expected = ttl != null ? ttl : isPlain ? null : own;
      assertEquals(expected, message.ttl());
      Duration life = expected == null ? Duration.ofDays(7) : expected;
      Duration left = Duration.between(before.plus(life), message.expiresAt());
      assertTrue(!left.isNegative() && left.compareTo(took) <= 0, left::toString);
    }
    String note = world.store.audit().get(0).note();
    assertEquals(ttlMs != null, note.contains(" ttl_ms=90061;"), note);
  }

  @Test
  void aResentMessageHasANewTimeToLiveIfOneIsGiven() {
    List<MsgId> died = world.die(ORDERS, 2, "boom", Duration.ofSeconds(77));
    for (Duration ttl : Arrays.asList(null, Duration.ofMillis(90_061))) {
      MsgId letter = died.get(ttl == null ? 0 : 1);
      SendOutcome unused =
          world
              .redrive()
              .resend(
                  world.caller,
                  new RedriveService.Resend(ORDERS, letter, null, null, null, null, ttl, "n"));
      Duration expected = ttl == null ? Duration.ofSeconds(77) : ttl;
      assertEquals(expected, world.receive(ORDERS, 1).get(0).ttl());
      String note = world.audit.get(world.audit.size() - 1).note();
      assertEquals(ttl != null, note.contains(" ttl_ms=90061;"), note);
    }
  }

  @Test
  void aLetterWhoseNewKeyIsTakenStays() {
    MsgId id = world.die(ORDERS, 1, "boom").get(0);
    MsgId other = world.send(ORDERS, "taken");
    SendOutcome outcome = resent(world.caller, id, "better", new IdemKey("taken"));
    assertEquals(new SendOutcome.KeyConflict(other), outcome);
    assertEquals(1, world.broker.quarantined(ORDERS).size());
    assertInstanceOf(
        SendOutcome.Accepted.class, resent(world.caller, id, "better", new IdemKey("free")));
    assertEquals(List.of(), world.broker.quarantined(ORDERS));
  }

  private void policy(Duration after, int times) {
    world.put(
        ORDERS,
        new TopicOverrides(
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            RetentionOverrides.NONE,
            null,
            new RedrivePolicy(after, times)));
  }

  private void nackAll() {
    world.nack(
        world.receive(ORDERS, 100).stream().map(message -> message.envelope().msgId()).toList());
  }

  @Test
  void aPolicyRedrivesLettersSoOftenAndNoMore() {
    policy(Duration.ofSeconds(1), 2);
    world.die(ORDERS, 5, "boom");
    for (int times = 1; times <= 4; times++) {
      world.redrive().applyPolicies();
      List<Job> jobs = world.store.list(ORDERS, 10);
      assertEquals(Math.min(2, times), jobs.size());
      counts(world.finish(jobs.get(0).id()), 5, 5, 0, 0);
      nackAll();
      assertEquals(5, world.broker.quarantined(ORDERS).size());
      world.redrive().applyPolicies();
      assertEquals(jobs.size(), world.store.list(ORDERS, 10).size(), "not twice in a minute");
      world.pass(Duration.ofSeconds(61));
    }
    assertEquals(
        new AuditEntry(
            world.store.audit().get(0).at(),
            Actor.SERVICE,
            "",
            "dlq.job.start",
            world.store.list(ORDERS, 10).get(1).id().value(),
            "reprocess topic=orders reprocessed<2 letters=5 max_attempts=5 rate=500;"
                + " the topic's policy"),
        world.store.audit().get(0));
  }

  @Test
  void withoutAPolicyLettersWait() {
    world.die(ORDERS, 5, "boom");
    world.redrive().applyPolicies();
    assertEquals(List.of(), world.store.list(ORDERS, 10));
  }

  @Test
  void aPolicyHasNoMoreJobsThanThereMayBe() {
    with(Map.of("mailbox.dlq.max_jobs", "1"));
    policy(Duration.ofSeconds(1), 1);
    world.die(ORDERS, 5, "boom");
    JobId job = world.start(JobAction.DISCARD, word("nothing"), null).id();
    world.redrive().applyPolicies();
    assertEquals(1, world.store.list(ORDERS, 10).size());
    world.finish(job);
    world.redrive().applyPolicies();
    assertEquals(2, world.store.list(ORDERS, 10).size());
  }

  @Test
  void anUnknownJobIsNotFound() {
    JobId none = new JobId("j0123456789abcdef");
    assertThrows(NotFoundException.class, () -> world.redrive().job(world.caller, none));
    assertThrows(NotFoundException.class, () -> world.redrive().cancel(world.caller, none));
    assertThrows(NotFoundException.class, () -> started(world.caller, null));
  }

  @Test
  void oneTidyingForgetsEveryJobThatIsTooMany() {
    int tooMany = 450;
    for (int number = 0; number < Redrive.KEPT + tooMany; number++) {
      Job job = JobStoreContract.plain(number);
      Job over = job.with(job.progress().withState(JobState.DONE, JobStoreContract.NOW));
      world.store.create(over, JobStoreContract.entry(over));
    }
    assertEquals(tooMany, world.redrive().tidy());
    assertEquals(Redrive.KEPT, world.store.list(null, Redrive.KEPT + tooMany).size());
    assertEquals(0, world.redrive().tidy());
  }
}
