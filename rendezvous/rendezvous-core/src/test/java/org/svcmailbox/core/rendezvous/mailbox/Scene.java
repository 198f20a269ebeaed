package org.svcmailbox.core.rendezvous.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.GetOutcome.Found;
import org.svcmailbox.core.rendezvous.Handover;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.TestTime;

/** Mailboxes on a clock that tests move. */
public final class Scene {
  public static final Access ALLOWED = new Access(null, () -> true);

  final TestTime time = new TestTime();
  final List<Long> wakeups = new ArrayList<>();
  final Rendezvous mailboxes;

  /**
   * @param settings names below {@code mailbox.rendezvous.} and values, alternating
   */
  Scene(String... settings) {
    mailboxes =
        new Rendezvous(
            settings(settings).rendezvous(), new SecureRandom(), time, time, wakeups::add);
  }

  public static MailboxSettings settings(String... settings) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      given.put("mailbox.rendezvous." + settings[i], settings[i + 1]);
    }
    return SettingsLoader.load(
        key -> Optional.ofNullable(given.get(key)), given.keySet(), 2, Long.MAX_VALUE);
  }

  public static RecipientId recipient(int number) {
    return new RecipientId("%064x".formatted(number));
  }

  public static InetAddress address(String text) {
    return IpRange.address(text).orElseThrow();
  }

  static Access from(String address) {
    return new Access(address(address), () -> true);
  }

  public static byte[] body(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  PostOutcome post(int recipient, String body) {
    return mailboxes.post(ALLOWED, recipient(recipient), body(body));
  }

  void posts(int recipient, int count) {
    for (int i = 0; i < count; i++) {
      assertEquals(PostOutcome.STORED, post(recipient, "message " + i));
    }
  }

  GetOutcome get(int recipient) {
    Outcomes outcomes = new Outcomes();
    mailboxes.get(ALLOWED, recipient(recipient), Duration.ZERO, outcomes::add);
    return outcomes.only();
  }

  Handover take(int recipient) {
    return assertInstanceOf(Found.class, get(recipient)).handover();
  }

  /** Takes a message and completes its delivery. */
  String read(int recipient) {
    Handover handover = take(recipient);
    handover.written();
    return text(handover);
  }

  public static String text(Handover handover) {
    return new String(handover.body(), StandardCharsets.UTF_8);
  }

  /** The outcomes of a GET that waits. */
  public static final class Outcomes {
    private final List<GetOutcome> told = new ArrayList<>();
    private Runnable abandon = () -> {};

    public void add(GetOutcome outcome) {
      told.add(outcome);
    }

    public GetOutcome only() {
      assertEquals(1, told.size(), () -> "told " + told);
      return told.get(0);
    }

    public Handover message() {
      return assertInstanceOf(Found.class, only()).handover();
    }

    public boolean isWaiting() {
      return told.isEmpty();
    }

    void abandon() {
      abandon.run();
    }
  }

  Outcomes await(int recipient, Duration wait) {
    return await(ALLOWED, recipient, wait);
  }

  Outcomes await(Access access, int recipient, Duration wait) {
    Outcomes outcomes = new Outcomes();
    outcomes.abandon = mailboxes.get(access, recipient(recipient), wait, outcomes::add);
    return outcomes;
  }

  void advance(Duration by) {
    time.advance(by);
    mailboxes.endWaits();
  }

  MailboxStats stats(int recipient) {
    return mailboxes.stats(recipient(recipient)).orElseThrow();
  }
}
