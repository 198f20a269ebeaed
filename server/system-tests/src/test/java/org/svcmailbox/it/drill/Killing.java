package org.svcmailbox.it.drill;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where a thread is to die.
 *
 * @param kind what its lives are counted as
 * @param thread its name
 * @param type a class of ours
 * @param method of it, at whose beginning it dies
 */
record Killing(String kind, String thread, String type, String method) {
  static final String EVENTS = "mailbox-events";

  private static final String CORE = "org.svcmailbox.core.";
  private static final String WORKER = CORE + "worker.";
  private static final String BATCH = CORE + "batch.";

  /** How many workers the server is to have: more deaths of one in a minute would be too many. */
  static final int WORKERS = 3;

  /** Between and within the parts of a worker's step. */
  private static final List<Killing> OF_WORKERS =
      List.of(
          worker(0, "dispatch.LeaseDelivery", "deliver"),
          worker(1, "send.SendStage", "enqueue"),
          worker(2, "send.SendStage", "onCommit"),
          worker(0, "state.Replies", "onCommit"),
          worker(1, "settle.Settlement", "fail"),
          worker(2, "settle.Settlement", "settle"));

  private static final List<Killing> OTHERS =
      List.of(
          new Killing(
              "dlq_jobs", "mailbox-dead-letter-jobs", CORE + "redrive.run.JobRun", "resolve"),
          new Killing(
              "dlq_jobs", "mailbox-dead-letter-jobs", CORE + "redrive.run.JobRun", "conclude"),
          new Killing("projector", "mailbox-projector", BATCH + "Projector", "next"),
          new Killing("projector", "mailbox-projector", BATCH + "ProjectionLane", "applyUpTo"),
          new Killing("watch", "mailbox-watch", CORE + "mailbox.WatchThread", "look"),
          new Killing("upkeep", "mailbox-upkeep", CORE + "mailbox.QueueWatch", "step"),
          new Killing("upkeep", "mailbox-upkeep", CORE + "deadletter.Reconciler", "step"),
          new Killing("events", EVENTS, "org.svcmailbox.web.event.EventStreams", "step"),
          new Killing("supervisor", "mailbox-supervisor", CORE + "supervision.Supervisor", "step"));

  /** Each kind of thread, in the middle of what it does. */
  static final List<Killing> ALL = Stream.of(OTHERS, OF_WORKERS).flatMap(List::stream).toList();

  private static Killing worker(int number, String type, String method) {
    return new Killing("worker", "mailbox-shard-worker-" + number, WORKER + type, method);
  }

  /** At the beginning of a worker's step. */
  static Killing worker(int number) {
    return worker(number, "ShardWorker", "step");
  }

  boolean isWorker() {
    return kind.equals("worker");
  }

  /** How many threads of its kind were started, as a metric. */
  String spawned() {
    return "tasks_spawned_total{kind=\"" + kind + "\"}";
  }

  /** How many of them died. */
  String aborted() {
    return "tasks_aborted_total{kind=\"" + kind + "\"}";
  }
}
