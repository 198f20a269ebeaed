package org.svcmailbox.grpc.message;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.refusal.ProblemReports;
import org.svcmailbox.core.request.StreamFields;
import org.svcmailbox.core.request.StreamFields.ResumeFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.stream.Pause;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.grpc.refusal.StatusDetails;
import org.svcmailbox.proto.v1.Delivery;
import org.svcmailbox.proto.v1.Goodbye;
import org.svcmailbox.proto.v1.Heartbeat;
import org.svcmailbox.proto.v1.OnClose;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Opened;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.Resume;

/** Converts the commands and events of streams. */
public final class StreamMessages {
  private StreamMessages() {}

  /**
   * Converts a request for a stream.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  public static StreamRequest checked(Open message, MailboxSettings settings) {
    KnownFields.check(message);
    return new StreamFields(
            Given.text(message.getTopic()),
            message.hasVisibilityMs() ? message.getVisibilityMs() : null,
            message.hasShard() ? message.getShard() : null,
            message.hasWindow() ? message.getWindow() : null,
            message.hasWindowBytes() ? message.getWindowBytes() : null,
            onClose(message.getOnClose()),
            message.hasResume() ? resume(message.getResume()) : null)
        .checked(settings);
  }

  /** A number that this version does not know is refused in the form of a text. */
  private static @Nullable String onClose(OnClose onClose) {
    return switch (onClose) {
      case ON_CLOSE_UNSPECIFIED -> null;
      case ON_CLOSE_KEEP -> "keep";
      case ON_CLOSE_NACK -> "nack";
      case UNRECOGNIZED -> "unknown";
    };
  }

  private static ResumeFields resume(Resume resume) {
    KnownFields.check(resume);
    return new ResumeFields(Given.text(resume.getStream()), resume.getLast());
  }

  public static RecvEvent opened(String stream, StreamRequest request) {
    return RecvEvent.newBuilder()
        .setOpened(
            Opened.newBuilder()
                .setStream(stream)
                .setWindow(request.window())
                .setWindowBytes(request.windowBytes()))
        .build();
  }

  /** A whole message. It shares the payload's array, so it must be written at once. */
  public static RecvEvent delivery(long number, LeasedMessage leased) {
    return event(Delivery.newBuilder().setN(number).setMessage(RecvMessages.received(leased)));
  }

  /** A message with its payload to follow in chunks. */
  public static RecvEvent chunkedDelivery(long number, LeasedMessage leased) {
    Received head = RecvMessages.received(leased).toBuilder().setPayload(ByteString.EMPTY).build();
    return event(
        Delivery.newBuilder()
            .setN(number)
            .setMessage(head)
            .setChunkedSize(leased.message().payload().size()));
  }

  private static RecvEvent event(Delivery.Builder delivery) {
    return RecvEvent.newBuilder().setDelivery(delivery).build();
  }

  public static RecvEvent heartbeat(int unsettled, @Nullable Pause paused) {
    return RecvEvent.newBuilder()
        .setHeartbeat(
            Heartbeat.newBuilder()
                .setUnsettled(unsettled)
                .setPaused(paused == null ? "" : paused.text()))
        .build();
  }

  public static RecvEvent goodbye(StreamEnd end, @Nullable Refusal why) {
    Goodbye.Builder goodbye = Goodbye.newBuilder().setReason(end.text());
    if (why != null) {
      goodbye.setProblem(StatusDetails.problem(ProblemReports.refused(why)));
    }
    return RecvEvent.newBuilder().setGoodbye(goodbye).build();
  }
}
