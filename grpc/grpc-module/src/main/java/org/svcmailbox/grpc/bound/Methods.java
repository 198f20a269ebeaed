package org.svcmailbox.grpc.bound;

import io.grpc.MethodDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.svcmailbox.proto.v1.MailboxGrpc;

/** Names of calls in metrics: a fixed set, whatever a client sends. */
public final class Methods {
  /** Health, reflection and unknown methods. */
  static final String OTHER = "other";

  /** Methods by their full names. */
  private static final Map<String, String> LABELS = labels();

  /** The HTTP endpoints that do the same, by method. */
  private static final Map<String, String> ENDPOINTS =
      Map.of(
          "Send", "send",
          "SendBatch", "send_batch",
          "SendStream", "send_stream",
          "Recv", "recv",
          "RecvStream", "recv_stream",
          "Ack", "ack_batch",
          "Nack", "nack_batch",
          "Extend", "extend_batch");

  static final List<String> ALL =
      Stream.concat(LABELS.values().stream(), Stream.of(OTHER)).toList();

  private Methods() {}

  private static Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    for (MethodDescriptor<?, ?> method : MailboxGrpc.getServiceDescriptor().getMethods()) {
      labels.put(method.getFullMethodName(), String.valueOf(method.getBareMethodName()));
    }
    return labels;
  }

  /** The method's label in {@code grpc_calls_total}. */
  static String label(String fullMethodName) {
    return LABELS.getOrDefault(fullMethodName, OTHER);
  }

  /** The method's endpoint in {@code busy_rejections_total}. */
  public static String endpoint(String fullMethodName) {
    return ENDPOINTS.getOrDefault(label(fullMethodName), OTHER);
  }

  /** All endpoints except that of other methods. */
  public static List<String> endpoints() {
    return ENDPOINTS.values().stream().sorted().toList();
  }
}
