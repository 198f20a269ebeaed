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
import org.svcmailbox.core.rendezvous.Knock;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.access.Verdict.Exhausted;
import org.svcmailbox.core.rendezvous.access.Verdict.Missing;
import org.svcmailbox.core.rendezvous.access.Verdict.Passed;
import org.svcmailbox.core.rendezvous.access.Verdict.Refused;
import org.svcmailbox.core.rendezvous.access.Verdict.Unknown;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;

/** Judges tokens: stored ones first, then capabilities, which may need the database. Any thread. */
final class TokenJudge {
  private final AuthMode mode;
  private final TokenCache tokens;
  private final CapabilityService capabilities;
  private final InstantSource wall;

  TokenJudge(AuthMode mode, TokenCache tokens, CapabilityService capabilities, InstantSource wall) {
    this.mode = mode;
    this.tokens = tokens;
    this.capabilities = capabilities;
    this.wall = wall;
  }

  Verdict judge(Knock knock) {
    if (mode == AuthMode.DISABLED) {
      return new Passed(false, () -> true);
    }
    String presented = knock.token();
    if (presented == null) {
      return new Missing();
    }
    Optional<KnownToken> known = tokens.find(knock.recipient(), presented, wall.instant());
    return known.isPresent() ? ofToken(known.get(), knock) : ofCapability(presented, knock);
  }

  /** Where no token is required, everyone has a mailbox's bodies read. */
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

  private Verdict ofToken(KnownToken token, Knock knock) {
    return token.rights().contains(knock.right())
        ? new Passed(false, () -> tokens.isGood(token, wall.instant()))
        : new Refused(false);
  }

  private Verdict ofCapability(String presented, Knock knock) {
    try {
      return ofCaller(capabilities.authenticate(presented, knock.address()), knock);
    } catch (DeniedException e) {
      return new Refused(false);
    } catch (SaturatedException e) {
      return new Exhausted(e.retryAfter());
    } catch (UnavailableException e) {
      return new Unknown();
    }
  }

  private static Verdict ofCaller(Caller caller, Knock knock) {
    Operation operation = operation(knock.right());
    String mailbox = knock.recipient().hex();
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
