package org.svcmailbox.web.delivery;

import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.web.door.Doorway;
import org.svcmailbox.web.door.Exchange;
import org.svcmailbox.web.door.MessageDoor;
import org.svcmailbox.web.json.JsonRequest;

/** A door for what becomes of one delivered message. */
abstract class SettleDoor<B extends JsonRequest> extends MessageDoor<B> {
  private static final long serialVersionUID = 1L;

  SettleDoor(Class<B> form, Doorway way) {
    super(form, way);
  }

  final void settle(SettleRequest request, Caller caller, Exchange exchange) {
    exchange.answer(
        mailbox().settle(caller, request),
        outcome -> Outcomes.answer(Outcomes.result(request.msgId(), outcome), exchange.call()));
  }
}
