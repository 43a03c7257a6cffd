// Imported first: keeps zod from trying `new Function`, which the panel's content security policy forbids and would report.
import { z } from 'zod';

z.config({ jitless: true });
