package org.svcmailbox.web.bounds;

import java.util.List;
import org.svcmailbox.core.delivery.HoldingService.SharedBound;

/** The bounds that all callers share. */
record BoundsResponse(List<SharedBound> bounds) {}
