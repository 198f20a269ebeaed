package org.svcmailbox.ejb.shutdown;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.svcmailbox.core.service.Drain;

/** All parts that drain at shutdown. Any thread. */
final class Drains {
  private static final String THREAD = "mailbox-drain";

  private final List<Drain> drains = new CopyOnWriteArrayList<>();

  void add(Drain drain) {
    drains.add(drain);
  }

  void remove(Drain drain) {
    drains.remove(drain);
  }

  /** Returns at once. */
  void stopIntake() {
    drains.forEach(each -> each.stopIntake().run());
  }

  /** Drains all parts at once, so it takes as long as the longest. */
  void run() {
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
