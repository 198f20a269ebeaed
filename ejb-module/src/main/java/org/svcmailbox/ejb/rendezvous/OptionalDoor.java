package org.svcmailbox.ejb.rendezvous;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.RendezvousService;
import org.svcmailbox.core.rendezvous.door.RendezvousDoor;

/** The rendezvous service; null while it is off. */
record OptionalDoor(@Nullable RendezvousDoor door) {
  static final OptionalDoor OFF = new OptionalDoor(null);

  Optional<RendezvousService> service() {
    return Optional.ofNullable(door);
  }

  /** For the servlets, which call nothing while {@link #service} reports that it is off. */
  RendezvousService open() {
    return service().orElseThrow(() -> new IllegalStateException("the rendezvous door is off"));
  }

  /**
   * For operators. Only they learn whether the service is on.
   *
   * @throws org.svcmailbox.core.capability.DeniedException when the caller is no operator
   * @throws NotFoundException when the service is off
   */
  RendezvousAdmin forOperator(Caller caller) {
    caller.require(Operation.ADMIN, null);
    if (door == null) {
      throw new NotFoundException(
          "The rendezvous door is off: mailbox.rendezvous.enabled is false");
    }
    return door;
  }
}
