package org.svcmailbox.core.rendezvous.mailbox;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Carries out claims one after another, so that many waiting GETs do not deepen the stack. Any
 * thread.
 */
final class ClaimQueue {
  private static final ThreadLocal<@Nullable ArrayDeque<Claim>> PENDING = new ThreadLocal<>();

  private ClaimQueue() {}

  static void carryOut(@Nullable Claim claim) {
    if (claim == null) {
      return;
    }
    ArrayDeque<Claim> outer = PENDING.get();
    if (outer != null) {
      outer.add(claim);
    } else {
      carryOutAll(claim);
    }
  }

  private static void carryOutAll(Claim claim) {
    ArrayDeque<Claim> next = new ArrayDeque<>(1);
    PENDING.set(next);
    try {
      for (Claim due = claim; due != null; due = next.poll()) {
        due.carryOut();
      }
    } finally {
      PENDING.remove();
    }
  }
}
