package org.svcmailbox.ejb.shutdown;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.svcmailbox.core.service.Departure;
import org.svcmailbox.core.service.Drain;

/** All parts that drain at shutdown. Any thread. */
final class Drains {
  private static final String THREAD = "mailbox-drain";

  private final List<Drain> drains = new CopyOnWriteArrayList<>();
  private volatile Departure departure = new Departure(this::stopAll, () -> {});

  void add(Drain drain) {
    drains.add(drain);
  }

  void remove(Drain drain) {
    drains.remove(drain);
  }

  void leaveFirst(Departure first) {
    departure = first;
  }

  /** Stops the intake of all parts, or begins to leave the cluster; returns at once. */
  void begin() {
    departure.begin().run();
  }

  private void stopAll() {
    drains.forEach(each -> each.stopIntake().run());
  }

  /** Leaves the cluster. Then drains all parts at once, so it takes as long as the longest. */
  void run() {
    try {
      departure.await().run();
    } finally {
      stopAll();
      drain();
    }
  }

  private void drain() {
    List<Thread> threads = new ArrayList<>();
    for (Drain each : drains) {
      Thread thread = new Thread(each.drain(), THREAD);
      thread.start();
      threads.add(thread);
    }
    threads.forEach(Drains::join);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
