package org.svcmailbox.worker.command;

import org.svcmailbox.outbox.event.MessageId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the id of an event. */
final class EventId implements ITypeConverter<MessageId> {
  @Override
  public MessageId convert(String text) {
    try {
      return MessageId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("an id is a UUID");
    }
  }
}
