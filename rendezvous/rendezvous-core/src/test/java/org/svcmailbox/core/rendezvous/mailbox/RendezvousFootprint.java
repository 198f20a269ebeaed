package org.svcmailbox.core.rendezvous.mailbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.PostOutcome;

/**
 * Prints the heap used by idle mailboxes, waiting GETs and messages. Run by hand with {@code
 * -Xmx512m -XX:+UseSerialGC}.
 */
final class RendezvousFootprint {
  private static final int COUNT = 10_000;
  private static final int COLLECTIONS = 5;

  private RendezvousFootprint() {}

  public static void main(String[] args) {
    List<Object> kept = new ArrayList<>();
    posts(new Scene(), 0); // Loads what stays.
    used();
    measure("idle mailbox", kept, RendezvousFootprint::idle);
    measure("waiting GET", kept, RendezvousFootprint::waiting);
    measure("empty message of one mailbox each", kept, scene -> posts(scene, 0));
    measure("message of 1 KiB of one mailbox each", kept, scene -> posts(scene, 1_024));
    if (kept.size() != 2 * COUNT + 4) {
      throw new AssertionError(kept.size());
    }
  }

  private interface Work {
    List<Object> on(Scene scene);
  }

  private static void measure(String what, List<Object> kept, Work work) {
    Scene scene = new Scene("max_waiting", "100000");
    kept.add(scene);
    long before = used();
    kept.addAll(work.on(scene));
    long each = (used() - before) / COUNT;
    if (each <= 0) {
      throw new AssertionError("something else was collected meanwhile");
    }
    System.out.printf("%s: %d bytes, %.2f MiB for 10,000%n", what, each, each * COUNT / 1048576.0);
  }

  private static List<Object> idle(Scene scene) {
    posts(scene, 0);
    for (int i = 0; i < COUNT; i++) {
      scene.take(i).written();
    }
    return List.of();
  }

  /** Includes what a servlet keeps: the access, the receiver, and how to abandon the request. */
  private static List<Object> waiting(Scene scene) {
    List<Object> kept = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      Object request = new Object();
      Access access = new Access(null, () -> request.hashCode() != 0);
      kept.add(
          scene.mailboxes.get(
              access,
              Scene.recipient(i),
              Duration.ofSeconds(55),
              outcome -> System.out.println(request)));
      kept.add(request);
    }
    return kept;
  }

  private static List<Object> posts(Scene scene, int bytes) {
    for (int i = 0; i < COUNT; i++) {
      if (scene.mailboxes.post(Scene.ALLOWED, Scene.recipient(i), new byte[bytes])
          != PostOutcome.STORED) {
        throw new AssertionError("no room");
      }
    }
    return List.of();
  }

  private static long used() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
