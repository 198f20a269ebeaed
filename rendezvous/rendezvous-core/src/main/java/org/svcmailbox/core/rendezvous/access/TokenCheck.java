package org.svcmailbox.core.rendezvous.access;

import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Exhausted;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Missing;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Passed;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Refused;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Unknown;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;

/** Checks tokens: stored ones first, then capabilities, which may need the database. Any thread. */
final class TokenCheck {
  private final AuthMode mode;
  private final TokenCache tokens;
  private final CapabilityService capabilities;
  private final InstantSource wall;

  TokenCheck(AuthMode mode, TokenCache tokens, CapabilityService capabilities, InstantSource wall) {
    this.mode = mode;
    this.tokens = tokens;
    this.capabilities = capabilities;
    this.wall = wall;
  }

  CheckedToken check(AccessRequest request) {
    if (mode == AuthMode.DISABLED) {
      return new Passed(false, () -> true);
    }
    String presented = request.token();
    if (presented == null) {
      return new Missing();
    }
    Optional<KnownToken> known = tokens.find(request.recipient(), presented, wall.instant());
    return known.isPresent() ? ofToken(known.get(), request) : ofCapability(presented, request);
  }

  /** Where no token is required, anybody may own the bodies of a mailbox. */
  BodyOwners bodyOwners(RecipientId recipient) {
    BodyOwners holders = capabilities.bodyOwners();
    return new BodyOwners() {
      @Override
      public @Nullable String known(@Nullable String token) {
        String owner = ofToken(recipient, token);
        return owner != null ? owner : holders.known(token);
      }

      @Override
      public @Nullable String find(@Nullable String token) {
        String owner = ofToken(recipient, token);
        return owner != null ? owner : holders.find(token);
      }
    };
  }

  private @Nullable String ofToken(RecipientId recipient, @Nullable String token) {
    if (mode == AuthMode.DISABLED) {
      return BodyOwners.ANYONE;
    }
    return token == null
        ? null
        : tokens.find(recipient, token, wall.instant()).map(KnownToken::owner).orElse(null);
  }

  private CheckedToken ofToken(KnownToken token, AccessRequest request) {
    return token.rights().contains(request.right())
        ? new Passed(false, () -> tokens.isGood(token, wall.instant()))
        : new Refused(false);
  }

  private CheckedToken ofCapability(String presented, AccessRequest request) {
    try {
      return ofCaller(capabilities.authenticate(presented, request.address()), request);
    } catch (DeniedException e) {
      return new Refused(false);
    } catch (SaturatedException e) {
      return new Exhausted(e.retryAfter());
    } catch (UnavailableException e) {
      return new Unknown();
    }
  }

  private static CheckedToken ofCaller(Caller caller, AccessRequest request) {
    Operation operation = operation(request.right());
    String mailbox = request.recipient().hex();
    boolean isCounted = !caller.capability().rates().isEmpty();
    Optional<Denial> denial = caller.mailboxDenial(operation, mailbox);
    if (denial.isEmpty()) {
      return new Passed(isCounted, () -> caller.mayUseMailbox(operation, mailbox));
    }
    return denial.get().problem() == Problem.E_UNAVAILABLE ? new Unknown() : new Refused(isCounted);
  }

  private static Operation operation(Right right) {
    return switch (right) {
      case POST -> Operation.RENDEZVOUS_POST;
      case GET -> Operation.RENDEZVOUS_GET;
    };
  }
}
