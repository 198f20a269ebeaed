package org.svcmailbox.core.rendezvous;

import java.security.SecureRandom;
import java.time.InstantSource;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.time.Ticker;

/** The ports of the rendezvous service. */
public record DoorPorts(
    RendezvousStore store,
    CapabilityService capabilities,
    SecureRandom random,
    Ticker ticker,
    InstantSource wall) {}
