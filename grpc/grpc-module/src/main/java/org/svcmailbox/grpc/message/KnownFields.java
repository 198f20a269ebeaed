package org.svcmailbox.grpc.message;

import com.google.protobuf.Message;
import java.util.List;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;

/**
 * Refuses fields that a message does not have, so that a misspelt one never becomes a silent
 * default.
 */
public final class KnownFields {
  private KnownFields() {}

  /**
   * Checks one message, but not the messages in it.
   *
   * @throws SchemaException naming every unknown field by its number
   */
  public static void check(Message message) {
    if (message.getUnknownFields().asMap().isEmpty()) {
      return;
    }
    String type = message.getDescriptorForType().getName();
    List<FieldViolation> unknown =
        message.getUnknownFields().asMap().keySet().stream()
            .map(number -> new FieldViolation("" + number, "is no field of " + type))
            .toList();
    throw new SchemaException(unknown);
  }
}
