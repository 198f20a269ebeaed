@NullMarked
package org.svcmailbox.core.capability;

import org.jspecify.annotations.NullMarked;
