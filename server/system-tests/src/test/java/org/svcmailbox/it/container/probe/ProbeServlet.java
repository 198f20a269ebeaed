package org.svcmailbox.it.container.probe;

import jakarta.ejb.EJB;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.service.Services;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicOverrides;

/**
 * Calls a service in a way that it refuses, and answers the name of the class that came out. The
 * last part of the path says which way; {@code ?by=name} takes the bean by its name in the
 * application instead of injecting the service by its type.
 */
@WebServlet("/probe/*")
public final class ProbeServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final int OVER_THE_LARGEST_FRAME = (1 << 20) + 1;

  @Inject private transient MailboxService mailbox;
  @Inject private transient TopicAdmin topics;
  @Inject private transient RendezvousAdmin rendezvous;
  @Inject private transient CapabilityService capabilities;

  @EJB(lookup = "java:app/mailbox-ejb/MailboxBean!org.svcmailbox.core.service.Services")
  private transient Services named;

  @EJB(
      lookup = "java:app/mailbox-ejb/RendezvousBean!org.svcmailbox.core.rendezvous.RendezvousAdmin")
  private transient RendezvousAdmin namedRendezvous;

  /** For the container. */
  public ProbeServlet() {}

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain");
    response.getWriter().write(outcome(request));
  }

  private String outcome(HttpServletRequest request) {
    boolean isByName = "name".equals(request.getParameter("by"));
    try {
      String token = request.getHeader("Authorization").substring("Bearer ".length());
      call(
          request.getPathInfo(),
          capabilities.authenticate(token, null),
          isByName ? named.mailbox() : mailbox,
          isByName ? named.topics() : topics,
          isByName ? namedRendezvous : rendezvous);
      return "nothing";
    } catch (RuntimeException e) {
      return e.getClass().getName();
    }
  }

  private static void call(
      String what,
      Caller caller,
      MailboxService mailbox,
      TopicAdmin topics,
      RendezvousAdmin rendezvous) {
    switch (what) {
      case "/missing-topic" -> topics.status(caller, new TopicName("never.made"));
      case "/missing-shard" -> mailbox.recv(caller, recv("probe", null, 200));
      case "/visibility-out-of-bounds" ->
          mailbox.recv(caller, recv("probe", Duration.ofDays(30), null));
      case "/contradiction" -> contradict(caller, topics);
      case "/frame-too-large" -> mailbox.send(caller, send(new byte[OVER_THE_LARGEST_FRAME]));
      case "/undeclared" -> topics.status(caller, nothing());
      case "/bean-off" -> rendezvous.remove(caller, "id");
      case "/bean-undeclared" -> rendezvous.remove(nothing(), "id");
      default -> throw new IllegalArgumentException(what);
    }
  }

  /** A backoff that begins beyond its ceiling. */
  private static void contradict(Caller caller, TopicAdmin topics) {
    Duration base = Duration.ofSeconds(2);
    Duration max = Duration.ofSeconds(1);
    topics.put(
        caller,
        new TopicName("contradicting"),
        new TopicOverrides(null, null, null, null, null, base, max, RetentionOverrides.NONE),
        Precondition.NONE);
  }

  private static RecvRequest recv(
      String topic, @Nullable Duration visibility, @Nullable Integer shard) {
    return new RecvRequest(new TopicName(topic), visibility, 1, 1, Duration.ZERO, shard);
  }

  private static SendRequest send(byte[] payload) {
    return new SendRequest(
        new TopicName("probe"),
        Payload.owning(payload),
        new IdemKey("key"),
        Attributes.NONE,
        null,
        null,
        Duration.ZERO,
        null);
  }

  /** Causes an exception that the application does not declare. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }
}
