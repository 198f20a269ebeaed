package org.svcmailbox.core.redrive.run;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.redrive.run.RedriveWorld.ORDERS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobState;

/**
 * Jobs whose commits fail or are late, whose rows cannot be written and whose thread or process
 * dies, at random. In the end every message is either a letter or ready, once, and the jobs' counts
 * say how many of each.
 */
class RedriveProgramTest {
  private static final TopicName ELSEWHERE = new TopicName("elsewhere");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 56, 68})
  void noLetterIsLostOrDoubledAndEveryOneIsCounted(long seed) {
    try (RedriveWorld world = new RedriveWorld(Map.of("mailbox.dlq.max_jobs", "100"))) {
      run(world, new Random(seed));
    }
  }

  private static void run(RedriveWorld world, Random random) {
    Map<String, String> wanted = new HashMap<>();
    List<JobId> jobs = new ArrayList<>();
    int faults = 0;
    int crashes = 0;
    for (int step = 0; step < 120; step++) {
      if (step % 7 == 0) {
        world.letters.endLate(random.nextBoolean());
      }
      switch (random.nextInt(8)) {
        case 0 -> died(world, random).forEach(key -> wanted.put(key, ""));
        case 1 -> jobs.add(start(world, random).id());
        case 2 -> {
          InMemoryLetters.Fault[] all = InMemoryLetters.Fault.values();
          InMemoryLetters.Fault when = all[random.nextInt(all.length)];
          if (random.nextBoolean()) {
            world.letters.failNext(when);
          } else {
            world.letters.dieNext(when);
          }
          faults++;
        }
        case 3 -> {
          world.store.down(true);
          world.pass(java.time.Duration.ofSeconds(2));
          world.step();
          world.store.down(false);
        }
        case 4 -> {
          world.crash();
          crashes++;
        }
        default -> {
          world.pass(java.time.Duration.ofSeconds(2));
          world.step();
        }
      }
    }
    world.letters.endLate(random.nextBoolean());
    jobs.forEach(world::finish);
    check(world, wanted.keySet().size(), jobs);
    assertTrue(faults > 5 && crashes > 5, faults + " faults, " + crashes + " crashes");
  }

  private static List<String> died(RedriveWorld world, Random random) {
    return world
        .die(ORDERS, 1 + random.nextInt(150), random.nextBoolean() ? "boom" : "bang")
        .stream()
        .map(MsgId::toString)
        .toList();
  }

  private static Job start(RedriveWorld world, Random random) {
    world.put(ORDERS, org.svcmailbox.core.topic.TopicOverrides.NONE);
    LetterFilter filter =
        random.nextBoolean()
            ? LetterFilter.ALL
            : new LetterFilter(
                null, List.of(), null, null, null, null, null, Map.of(), List.of("boom"), null);
    return world.start(JobAction.REDRIVE, filter, random.nextInt(3) == 0 ? ELSEWHERE : null);
  }

  private static void check(RedriveWorld world, int sent, List<JobId> jobs) {
    // Fails by itself on two copies of one message.
    Map<MsgId, StoredMessage> ready = world.broker.everything();
    int dead = world.broker.quarantined(ORDERS).size();
    assertEquals(sent, ready.size() + dead);
    long keys =
        ready.values().stream().map(message -> message.envelope().idemKey()).distinct().count();
    assertEquals(ready.size(), keys, "no letter became two messages");
    long done = 0;
    for (JobId id : jobs) {
      Job job = world.redrive().job(world.caller, id).job();
      assertEquals(JobState.DONE, job.progress().state());
      assertEquals(
          job.total(), job.progress().done() + job.progress().failed() + job.gone(), job::toString);
      done += job.progress().done();
    }
    long times =
        Stream.concat(
                ready.values().stream(),
                world.broker.quarantined(ORDERS).stream().map(letter -> letter.message()))
            .mapToLong(message -> requireNonNull(message).history().redrives())
            .sum();
    assertEquals(times, done);
    assertEquals(dead, world.index.positions(ORDERS, 0).size());
  }
}
